import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** A run of records whose digest has begun. */
export interface Attempt {
  from: number;
  /** Exclusive. */
  upTo: number;
  /** The number of times that the thread or process had already died under this attempt when it began. */
  deaths: number;
  /** True: a single record, taken alone because its batch had died. */
  isAlone: boolean;
}

/**
 * Remembers which records were being digested when a thread or the process died, so that a record that kills its digest is found instead of
 * being tried forever. An entry is written before the first batch of a thread, and before each record taken alone.
 */
export class AttemptLog {
  readonly #path: string;
  #isWritten = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** The attempt that began and never ended. Null: every attempt has ended. */
  read(): Attempt | null {
    try {
      const { from, upTo, deaths, isAlone } = JSON.parse(readFileSync(this.#path, "utf8"));
      this.#isWritten = true;
      const isWhole = Number.isSafeInteger(from) && Number.isSafeInteger(upTo) && Number.isSafeInteger(deaths);
      return isWhole ? { from, upTo, deaths, isAlone: isAlone === true } : null;
    } catch {
      // The file is absent, or a crash cut it off while it was written: nothing is known.
      return null;
    }
  }

  begin(attempt: Attempt): void {
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, JSON.stringify(attempt));
    this.#isWritten = true;
  }

  end(): void {
    if (!this.#isWritten) return;
    rmSync(this.#path, { force: true });
    this.#isWritten = false;
  }
}

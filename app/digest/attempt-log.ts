import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** A run of records whose digest was begun. */
export interface Attempt {
  from: number;
  /** Exclusive. */
  upTo: number;
  /** How often thread or process had died under the same attempt when it was begun. */
  deaths: number;
  /** It was a single record, taken alone because its batch had died. */
  isAlone: boolean;
}

/**
 * Remembers which records were being digested when a thread or the process died, so that a record that kills its digest is
 * found instead of being tried forever. Written before the first batch of a thread, and before each record taken alone.
 */
export class AttemptLog {
  readonly #path: string;
  #isWritten = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** What was begun and never ended; null when everything ended well. */
  read(): Attempt | null {
    try {
      const { from, upTo, deaths, isAlone } = JSON.parse(readFileSync(this.#path, "utf8"));
      this.#isWritten = true;
      const isWhole = Number.isSafeInteger(from) && Number.isSafeInteger(upTo) && Number.isSafeInteger(deaths);
      return isWhole ? { from, upTo, deaths, isAlone: isAlone === true } : null;
    } catch {
      // Absent, or cut off by a crash while it was written: nothing is known.
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

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** A run of records whose digest was begun, and how heavily it weighs that it never ended. */
export interface Attempt {
  from: number;
  /** Exclusive. */
  upTo: number;
  /** See `WEIGHT`. */
  deaths: number;
  /** It was a single record, because its batch had died before. */
  isIsolated: boolean;
}

/**
 * A thread that dies under a batch is itself evidence against the batch; a process that dies may have been killed for
 * any reason, unless it had lived for a while, and died when it looked at the one record that is suspected. At
 * `FATAL_WEIGHT` the records are taken one by one, and then the one that did it is set aside.
 */
export const WEIGHT = { thread: 4, process: 1, steadyProcess: 4 } as const;
export const FATAL_WEIGHT = 8;

/**
 * Remembers across the death of thread and process which records were being digested, so that a record that kills its
 * digest is found instead of being tried for ever. Written before the first batch of a thread, and for single records.
 */
export class AttemptLog {
  readonly #path: string;
  #isWritten = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** What was begun and never ended; null when all ended well. */
  read(): Attempt | null {
    try {
      const { from, upTo, deaths, isIsolated } = JSON.parse(readFileSync(this.#path, "utf8"));
      this.#isWritten = true;
      const isWhole = Number.isSafeInteger(from) && Number.isSafeInteger(upTo) && Number.isSafeInteger(deaths);
      return isWhole ? { from, upTo, deaths, isIsolated: isIsolated === true } : null;
    } catch {
      // Absent, or cut by a crash while it was written: nothing is known.
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

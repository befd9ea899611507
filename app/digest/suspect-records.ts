import type { AttemptLog } from "./attempt-log.ts";

interface BatchRange {
  from: number;
  /** Exclusive. */
  upTo: number;
  records: ReadonlyArray<{ sequence: number }>;
}

/**
 * After this many deaths under a batch, its records are taken one by one. After this many under a record that is alone, the record is set
 * aside. It is two because a single death may have any reason: a power cut, an operator's `kill -9`.
 */
const MAX_DEATHS = 2;
/**
 * The limit for a record alone that state has applied. State read and counted it without harm, and only its rows are missing. If processes
 * die then, the write takes too long (a backup holds the event store for seconds, or a disk is slow). A record that is set aside after all
 * is counted by its issue, but has no row.
 */
const MAX_DEATHS_AFTER_STATE = 10;
/** A record that a store refuses this often is itself at fault. */
const MAX_REFUSALS = 2;
/**
 * After this many poisoned records in a row, with none stored in between, the records are not at fault: they wait until the fault is fixed.
 */
const MAX_POISONED_IN_A_ROW = 10;

/**
 * Finds the record in a batch that kills the digest, or that a store refuses. The records are taken one by one, and the one that does it
 * again is poisoned: it is set aside without being read.
 *
 * The caller reads a record for which `mayKill` is true only when the process has lived for a while (`DigestLimits.steadyAfterMs`). If
 * something else kills processes soon after their start, again and again, it never happens while a record is alone, and no record is
 * blamed.
 */
export class SuspectRecords {
  readonly #attempts: AttemptLog;
  readonly #poisoned = new Set<number>();
  /** Records below are taken one by one. */
  #suspectBelow = 0;
  /** Records below were in a batch under which thread or process died. */
  #mayKillBelow = 0;
  #isFirstStart = true;
  #isFirstBatch = true;
  /** The number of deaths of the thread or process under the attempt from this sequence on. */
  #deaths = { from: -1, count: 0 };
  #refusals = { sequence: -1, count: 0 };
  #poisonedInARow = 0;

  constructor(attempts: AttemptLog) {
    this.#attempts = attempts;
  }

  /**
   * Takes account of the attempt that began before this thread and never ended.
   *
   * @param stateUpTo state has applied the records below
   */
  startFrom(sequence: number, stateUpTo: number): void {
    if (!this.#isFirstStart) return;
    this.#isFirstStart = false;
    const attempt = this.#attempts.read();
    if (attempt === null || attempt.from !== sequence) {
      this.#attempts.end();
      return;
    }
    const deaths = attempt.deaths + 1;
    const isApplied = attempt.isAlone && sequence < stateUpTo;
    const isFatal = deaths >= (isApplied ? MAX_DEATHS_AFTER_STATE : MAX_DEATHS);
    // Deaths under a batch say nothing about its first record.
    if (attempt.isAlone || !isFatal) this.#deaths = { from: sequence, count: deaths };
    if (attempt.isAlone || isFatal) {
      this.#suspectBelow = attempt.upTo;
      this.#mayKillBelow = attempt.upTo;
    }
    if (attempt.isAlone && isFatal) this.#poisoned.add(sequence);
  }

  /** Whether the record must be digested in a batch of its own. */
  isSuspect(sequence: number): boolean {
    return sequence < this.#suspectBelow;
  }

  /** Whether the record may kill the process, so that it may only be read after the process has run for `steadyAfterMs`. */
  mayKill(sequence: number): boolean {
    return sequence < this.#mayKillBelow && !this.#poisoned.has(sequence);
  }

  isPoisoned(sequence: number): boolean {
    return this.#poisoned.has(sequence);
  }

  /** Whether the batch that begins with this record must run alone: no other batch runs at the same time. */
  isWatched(sequence: number): boolean {
    return this.#isFirstBatch || this.isSuspect(sequence);
  }

  /** Call it before the records of a batch that must run alone are mapped. */
  begin({ from, upTo }: BatchRange): void {
    const isAlone = this.isSuspect(from);
    const deaths = this.#deaths.from === from ? this.#deaths.count : 0;
    this.#attempts.begin({ from, upTo, deaths, isAlone });
  }

  /** The batch is committed. */
  end({ upTo, records }: BatchRange): void {
    this.#isFirstBatch = false;
    this.#attempts.end();
    for (const { sequence } of records) {
      if (!this.#poisoned.delete(sequence)) this.#poisonedInARow = 0;
    }
    if (upTo >= this.#suspectBelow) this.#suspectBelow = 0;
  }

  /** Notes that a store refused the batch because of its data. */
  blame({ upTo, records }: BatchRange): void {
    const [first] = records;
    if (first === undefined) return;
    this.#suspectBelow = Math.max(this.#suspectBelow, upTo);
    if (records.length > 1) return;
    const count = this.#refusals.sequence === first.sequence ? this.#refusals.count + 1 : 1;
    this.#refusals = { sequence: first.sequence, count };
    if (count < MAX_REFUSALS || this.#poisonedInARow >= MAX_POISONED_IN_A_ROW) return;
    this.#poisonedInARow++;
    this.#poisoned.add(first.sequence);
  }
}

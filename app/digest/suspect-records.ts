import type { AttemptLog } from "./attempt-log.ts";

interface BatchRange {
  from: number;
  /** Exclusive. */
  upTo: number;
  records: ReadonlyArray<{ sequence: number }>;
}

/**
 * After so many deaths under a batch its records are taken one by one, and after so many under a record that is alone it is
 * set aside. Two, because one death may be anything: a power cut, an operator's `kill -9`.
 */
const MAX_DEATHS = 2;
/**
 * The same of a record alone that state has applied. It was looked into and counted without harm, and what is left is to write its rows:
 * whatever ends processes then ends them because that takes long (a backup holds the event store for seconds, a disk is slow). A record
 * that is set aside after all is counted by its issue, and has no row.
 */
const MAX_DEATHS_AFTER_STATE = 10;
/** A record that a store refuses so often is itself to blame. */
const MAX_REFUSALS = 2;
/** After so many with none that was stored in between, the fault is not theirs: they wait until it is mended. */
const MAX_POISONED_IN_A_ROW = 10;

/**
 * Finds the record that kills the digest or that a store refuses, among those of a batch: its records are taken one by
 * one, and the one that does it again is poisoned, which means that it is set aside without being looked into.
 *
 * The caller looks into what `mayKill` only when the process has lived for a while (`DigestLimits.steadyAfterMs`). Whatever
 * kills processes again and again soon after their start then never does it while a record is alone, and no record is blamed.
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
  /** How often thread or process died under the attempt from this sequence on. */
  #deaths = { from: -1, count: 0 };
  #refusals = { sequence: -1, count: 0 };
  #poisonedInARow = 0;

  constructor(attempts: AttemptLog) {
    this.#attempts = attempts;
  }

  /**
   * Takes into account what was begun before this thread and never ended.
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
    // Those of a batch say nothing about its first record.
    if (attempt.isAlone || !isFatal) this.#deaths = { from: sequence, count: deaths };
    if (attempt.isAlone || isFatal) {
      this.#suspectBelow = attempt.upTo;
      this.#mayKillBelow = attempt.upTo;
    }
    if (attempt.isAlone && isFatal) this.#poisoned.add(sequence);
  }

  /** Whether the record is to be taken alone. */
  isSuspect(sequence: number): boolean {
    return sequence < this.#suspectBelow;
  }

  /** Whether it is to be looked into by a steady process only. */
  mayKill(sequence: number): boolean {
    return sequence < this.#mayKillBelow && !this.#poisoned.has(sequence);
  }

  isPoisoned(sequence: number): boolean {
    return this.#poisoned.has(sequence);
  }

  /** Whether the batch that begins with the record is begun when no other is under way, and no other until its end. */
  isWatched(sequence: number): boolean {
    return this.#isFirstBatch || this.isSuspect(sequence);
  }

  /** Call it before a watched batch is looked into. */
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

  /** A store refused the batch for what is in it. */
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

import { type Attempt, type AttemptLog, FATAL_WEIGHT, WEIGHT } from "./attempt-log.ts";

interface BatchRange {
  from: number;
  /** Exclusive. */
  upTo: number;
  records: ReadonlyArray<{ sequence: number }>;
}

/** A record that is refused so often by a store is to blame itself. */
const MAX_REFUSALS = 2;
/** After so many with none that was stored in between, the fault is not theirs: they wait until it is mended. */
const MAX_POISONED_IN_A_ROW = 10;

/**
 * Finds the record that kills the digest or that a store refuses, among those of a batch: its records are taken one by
 * one, and the one that does it again is poisoned, which means that it is set aside without being looked into.
 */
export class SuspectRecords {
  readonly #attempts: AttemptLog;
  readonly #isAfterThreadDeath: boolean;
  readonly #poisoned = new Set<number>();
  /** Records below are taken one by one. */
  #suspectBelow = 0;
  #isFirstStart = true;
  #isAfterProcessDeath = false;
  #isFirstBatch = true;
  /** Weight of the deaths that the batch from this sequence on has seen. */
  #deaths = { from: -1, weight: 0 };
  #refusals = { sequence: -1, count: 0 };
  #poisonedInARow = 0;

  constructor(attempts: AttemptLog, isAfterThreadDeath: boolean) {
    this.#attempts = attempts;
    this.#isAfterThreadDeath = isAfterThreadDeath;
  }

  /** Takes into account what was begun before this thread and never ended. */
  startFrom(sequence: number): void {
    if (!this.#isFirstStart) return;
    this.#isFirstStart = false;
    const attempt = this.#attempts.read();
    if (attempt === null || attempt.from !== sequence) {
      this.#attempts.end();
      return;
    }
    this.#isAfterProcessDeath = !this.#isAfterThreadDeath;
    const weight = attempt.deaths + this.#weighDeath(attempt);
    if (weight < FATAL_WEIGHT) {
      this.#deaths = { from: sequence, weight };
      if (attempt.isIsolated) this.#suspectBelow = attempt.upTo;
    } else if (attempt.isIsolated) {
      for (let at = attempt.from; at < attempt.upTo; at++) this.#poisoned.add(at);
    } else {
      this.#suspectBelow = attempt.upTo;
    }
  }

  #weighDeath({ isIsolated }: Attempt): number {
    if (this.#isAfterThreadDeath) return WEIGHT.thread;
    // Records are taken alone by a steady process only: see `mayHaveKilledProcess`.
    return isIsolated ? WEIGHT.steadyProcess : WEIGHT.process;
  }

  /** Whether the record is to be taken alone. */
  isSuspect(sequence: number): boolean {
    return sequence < this.#suspectBelow;
  }

  /**
   * Whether it is suspected because processes died, each of which may have been killed from outside: then it is looked into
   * only by a process that has lived for a while.
   */
  mayHaveKilledProcess(sequence: number): boolean {
    return this.isSuspect(sequence) && this.#isAfterProcessDeath && !this.#poisoned.has(sequence);
  }

  isPoisoned(sequence: number): boolean {
    return this.#poisoned.has(sequence);
  }

  /** Call it before a batch is looked into. True: wait for its end before the next is begun. */
  begin({ from, upTo }: BatchRange): boolean {
    const isIsolated = this.isSuspect(from);
    if (!isIsolated && !this.#isFirstBatch) return false;
    const deaths = this.#deaths.from === from ? this.#deaths.weight : 0;
    this.#attempts.begin({ from, upTo, deaths, isIsolated });
    return true;
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
    if (records.length > 1) {
      this.#suspectBelow = Math.max(this.#suspectBelow, upTo);
      return;
    }
    const count = this.#refusals.sequence === first.sequence ? this.#refusals.count + 1 : 1;
    this.#refusals = { sequence: first.sequence, count };
    this.#suspectBelow = Math.max(this.#suspectBelow, upTo);
    if (count < MAX_REFUSALS || this.#poisonedInARow >= MAX_POISONED_IN_A_ROW) return;
    this.#poisonedInARow++;
    this.#poisoned.add(first.sequence);
  }
}

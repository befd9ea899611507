import { availableParallelism } from "node:os";
import type { JournalLog } from "../journal/journal.ts";
import type { WorkDivision } from "./divided-work.ts";
import { type DigestHelper, HelperThread } from "./helper-thread.ts";

export interface HelperLimits {
  /** With so many records waiting, a thread is worth its memory (some 60 MB). */
  startAtRecords: number;
  /** With fewer waiting, the next batch is as quick without it. */
  useAtRecords: number;
  /** Without use for so long, it ends. */
  idleMs: number;
  /** After a batch of which it did nothing, because it had no core, or of which most had to be looked into by the digest itself. */
  restMs: number;
  /** After it died. */
  retryMs: number;
}

export const DEFAULT_HELPER_LIMITS: HelperLimits = {
  startAtRecords: 4_000,
  useAtRecords: 1_000,
  idleMs: 30_000,
  restMs: 1_000,
  retryMs: 60_000,
};

export interface HelperOnDemandOptions {
  log: JournalLog;
  limits?: Partial<HelperLimits>;
  /** Of the machine. */
  cores?: number;
}

/**
 * A second thread for the digest while much waits and a core is free, and none otherwise: at a steady thousand events a
 * second there is no backlog, and its memory is not spent.
 */
export class HelperOnDemand {
  readonly #log: JournalLog;
  readonly #limits: HelperLimits;
  readonly #isOfUse: boolean;
  #thread: HelperThread | null = null;
  #notBefore = 0;
  #idleTimer: NodeJS.Timeout | null = null;

  constructor({ log, limits, cores = availableParallelism() }: HelperOnDemandOptions) {
    this.#log = log;
    this.#limits = { ...DEFAULT_HELPER_LIMITS, ...limits };
    this.#isOfUse = cores > 1;
  }

  /** For a batch behind which so many records wait; null: it is digested alone. */
  forBatch(waitingRecords: number): DigestHelper | null {
    const { startAtRecords, useAtRecords } = this.#limits;
    if (!this.#isOfUse || waitingRecords < (this.#thread === null ? startAtRecords : useAtRecords)) return null;
    if (performance.now() < this.#notBefore) return null;
    this.#thread ??= this.#start();
    this.#idleTimer?.refresh();
    return this.#thread;
  }

  /** To be told what came of it. */
  ended({ given, back, left }: WorkDivision): void {
    if (given > 0 && left * 2 >= back) this.#notBefore = performance.now() + this.#limits.restMs;
  }

  async close(): Promise<void> {
    this.#notBefore = Number.POSITIVE_INFINITY;
    await this.#stop();
  }

  #start(): HelperThread {
    const thread = new HelperThread({
      log: this.#log,
      onEnd: () => {
        if (this.#thread !== thread) return;
        this.#forget();
        this.#notBefore = performance.now() + this.#limits.retryMs;
      },
    });
    this.#idleTimer = setTimeout(() => void this.#stop(), this.#limits.idleMs).unref();
    return thread;
  }

  async #stop(): Promise<void> {
    const thread = this.#thread;
    this.#forget();
    await thread?.close();
  }

  #forget(): void {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
    this.#thread = null;
  }
}

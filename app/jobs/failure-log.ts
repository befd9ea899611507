import { HOUR_MS, MINUTE_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";

/** The pause between the first two lines about the same failure. Each later pause is twice the one before. */
const FIRST_PAUSE_MS = MINUTE_MS;
const MAX_PAUSE_MS = HOUR_MS;

interface Failing {
  message: string;
  /** Failed runs that no line of the log counts yet. */
  unsaid: number;
  pauseMs: number;
  nextAt: number;
}

/** Writes to the log that jobs fail, but not each time: on a full disk, a job may fail every second. */
export class FailureLog {
  readonly #log: Log;
  readonly #failing = new Map<string, Failing>();

  constructor(log: Log) {
    this.#log = log;
  }

  failed(job: string, error: unknown, now: number): void {
    const message = error instanceof Error ? error.message : String(error);
    let known = this.#failing.get(job);
    if (known?.message !== message) {
      known = { message, unsaid: 0, pauseMs: FIRST_PAUSE_MS, nextAt: now };
      this.#failing.set(job, known);
    }
    known.unsaid++;
    if (now < known.nextAt) return;
    const again = known.unsaid > 1 ? { failures: known.unsaid } : {};
    this.#log.error({ err: error, job, ...again }, "a background job failed");
    known.unsaid = 0;
    known.nextAt = now + known.pauseMs;
    known.pauseMs = Math.min(2 * known.pauseMs, MAX_PAUSE_MS);
  }

  worked(job: string): void {
    if (this.#failing.delete(job)) this.#log.info({ job }, "a background job works again");
  }
}

import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../app/jobs/runner.ts";

/** Time that passes when a test says so. */
export class ManualClock implements Clock {
  #now: number;
  #sleepers: Array<{ at: number; wake: () => void }> = [];

  constructor(now: number) {
    this.#now = now;
  }

  #aheadMs = 0;

  now = (): number => this.#now + this.#aheadMs;

  sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const sleeper = { at: this.#now + milliseconds, wake: resolve };
      const cut = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(new Error("the sleep was cut short"));
      };
      if (signal.aborted) return cut();
      this.#sleepers.push(sleeper);
      signal.addEventListener("abort", cut, { once: true });
    });

  /** As when somebody sets the clock: sleepers notice nothing. */
  setAhead(milliseconds: number): void {
    this.#aheadMs = milliseconds;
  }

  /** Wakes everybody who is due by then, each at its own instant, and lets what they begin come to rest. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await rest();
    for (;;) {
      const [next] = this.#sleepers.toSorted((a, b) => a.at - b.at);
      if (next === undefined || next.at > end) break;
      this.#sleepers = this.#sleepers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.wake();
      await rest();
    }
    this.#now = end;
  }
}

/** Until promises and writes to stores of this process have gone on as far as they can. */
async function rest(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}

import { createHash } from "node:crypto";

export interface AttemptLimit {
  maxAttempts: number;
  windowMs: number;
}

/** Keys that are remembered at once, some 130 bytes each. */
export const MAX_KEYS = 50_000;
/** Characters of base64url, 132 bits: strangers cannot find two texts with the same key. */
const KEY_CHARS = 22;

/**
 * Counts attempts per key, in windows that begin with the first attempt. Its memory is limited: keys are hashes of the given texts,
 * ended windows are dropped, and above `MAX_KEYS` the oldest window is dropped. Password hashes are made one at a time, ten a
 * second. So even an hour, the longest window, does not reach the limit.
 */
export class AttemptCounter {
  readonly #limit: AttemptLimit;
  /** Windows in the order in which they began, which is also the order in which they end. */
  readonly #windows = new Map<string, { count: number; startedAt: number }>();

  constructor(limit: AttemptLimit) {
    this.#limit = limit;
  }

  /** The number of remembered keys. */
  get size(): number {
    return this.#windows.size;
  }

  /** Seconds until another attempt is allowed. 0: it is allowed at `now` (milliseconds, of any clock that never goes back). */
  retryAfterSeconds(text: string, now: number): number {
    this.#dropEnded(now);
    const window = this.#windows.get(toKey(text));
    if (!window || window.count < this.#limit.maxAttempts) return 0;
    return Math.ceil((window.startedAt + this.#limit.windowMs - now) / 1000);
  }

  record(text: string, now: number): void {
    this.#dropEnded(now);
    const key = toKey(text);
    const window = this.#windows.get(key);
    if (window) {
      window.count += 1;
      return;
    }
    this.#windows.set(key, { count: 1, startedAt: now });
    if (this.#windows.size > MAX_KEYS)
      for (const oldest of this.#windows.keys()) return void this.#windows.delete(oldest);
  }

  /** Removes one counted attempt. */
  refund(text: string): void {
    const key = toKey(text);
    const window = this.#windows.get(key);
    if (!window) return;
    window.count -= 1;
    if (window.count === 0) this.#windows.delete(key);
  }

  #dropEnded(now: number): void {
    for (const [key, { startedAt }] of this.#windows) {
      if (now - startedAt < this.#limit.windowMs) return;
      this.#windows.delete(key);
    }
  }
}

/** Seconds until every counter allows its key another attempt. 0: all do now. */
export function findWait(counted: ReadonlyArray<readonly [AttemptCounter, string]>, at: number): number {
  return Math.max(...counted.map(([counter, key]) => counter.retryAfterSeconds(key, at)));
}

export type CountedAttempt = { ok: true; refund(): void } | { ok: false; retryAfterSeconds: number };

/**
 * Counts one attempt for each counter and its key. If one of them has reached its limit, it counts for none. `refund` removes the
 * attempt again.
 */
export function countAttempt(counted: ReadonlyArray<readonly [AttemptCounter, string]>, at: number): CountedAttempt {
  const retryAfterSeconds = findWait(counted, at);
  if (retryAfterSeconds > 0) return { ok: false, retryAfterSeconds };
  for (const [counter, key] of counted) counter.record(key, at);
  return {
    ok: true,
    refund() {
      for (const [counter, key] of counted) counter.refund(key);
    },
  };
}

function toKey(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, KEY_CHARS);
}

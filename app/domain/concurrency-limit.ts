export interface ConcurrencyLimit {
  /**
   * Waits for its turn. Returns a function that ends the turn. Null: too many are waiting already, the wait took too long, or the
   * signal aborted.
   */
  enter(signal?: AbortSignal): Promise<(() => void) | null>;
}

export interface ConcurrencyLimitOptions {
  atOnce: number;
  maxWaiting: number;
  /** Default: as long as it takes. */
  maxWaitMs?: number;
}

/** Lets `atOnce` pieces of work run at a time. Others wait, in the order in which they came. */
export function createConcurrencyLimit({ atOnce, maxWaiting, maxWaitMs }: ConcurrencyLimitOptions): ConcurrencyLimit {
  let running = 0;
  const waiting = new Set<(leave: (() => void) | null) => void>();

  function start(): () => void {
    running += 1;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      running -= 1;
      const [next] = waiting;
      next?.(start());
    };
  }

  return {
    enter(signal) {
      if (signal?.aborted) return Promise.resolve(null);
      if (running < atOnce) return Promise.resolve(start());
      if (waiting.size >= maxWaiting) return Promise.resolve(null);
      return new Promise((resolve) => {
        const stopWaiting = (leave: (() => void) | null) => {
          waiting.delete(stopWaiting);
          clearTimeout(timer);
          signal?.removeEventListener("abort", giveUp);
          resolve(leave);
        };
        const giveUp = () => stopWaiting(null);
        const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
        signal?.addEventListener("abort", giveUp);
        waiting.add(stopWaiting);
      });
    },
  };
}

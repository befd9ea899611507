export interface Turns {
  /**
   * Resolves with what gives the turn back once there is one; null when too many wait already, when it took too long, or
   * when the signal aborts.
   */
  take(signal?: AbortSignal): Promise<(() => void) | null>;
}

/** Lets some work at once, and others wait in line. */
export function createTurns({
  atOnce,
  maxWaiting,
  maxWaitMs,
}: {
  atOnce: number;
  maxWaiting: number;
  maxWaitMs: number;
}): Turns {
  let taken = 0;
  const waiting = new Set<(turn: (() => void) | null) => void>();

  function start(): () => void {
    taken += 1;
    let isGivenBack = false;
    return () => {
      if (isGivenBack) return;
      isGivenBack = true;
      taken -= 1;
      const [next] = waiting;
      next?.(start());
    };
  }

  return {
    take(signal) {
      if (signal?.aborted) return Promise.resolve(null);
      if (taken < atOnce) return Promise.resolve(start());
      if (waiting.size >= maxWaiting) return Promise.resolve(null);
      return new Promise((resolve) => {
        const settle = (turn: (() => void) | null) => {
          waiting.delete(settle);
          clearTimeout(timer);
          signal?.removeEventListener("abort", giveUp);
          resolve(turn);
        };
        const giveUp = () => settle(null);
        const timer = setTimeout(giveUp, maxWaitMs);
        signal?.addEventListener("abort", giveUp);
        waiting.add(settle);
      });
    },
  };
}

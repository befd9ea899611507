/** The number per second, over the last minute or since the first one, whichever is shorter. */
export interface RateMeter {
  add(count: number): void;
  perSecond(): number;
}

const WINDOW_SECONDS = 60;

export function createRateMeter(now: () => number = Date.now): RateMeter {
  // One sum per second, each overwritten a minute later.
  const sums = new Float64Array(WINDOW_SECONDS);
  const seconds = new Float64Array(WINDOW_SECONDS).fill(-1);
  let firstSecond: number | null = null;
  return {
    add(count) {
      const second = Math.floor(now() / 1000);
      const at = second % WINDOW_SECONDS;
      if (seconds[at] !== second) {
        seconds[at] = second;
        sums[at] = 0;
      }
      sums[at] = (sums[at] ?? 0) + count;
      firstSecond ??= second;
    },
    perSecond() {
      if (firstSecond === null) return 0;
      const second = Math.floor(now() / 1000);
      let total = 0;
      for (let at = 0; at < WINDOW_SECONDS; at++) {
        if ((seconds[at] ?? -1) > second - WINDOW_SECONDS) total += sums[at] ?? 0;
      }
      return total / Math.min(WINDOW_SECONDS, second - firstSecond + 1);
    },
  };
}

const WINDOW_MS = 60_000;
/** One fault a minute says all; some more show whether it is one page or many. */
const MAX_PER_KIND = 5;
const MAX_IN_ALL = 60;

/**
 * How often the server may report faults of its own: enough to see each, and never so often that reporting them could keep
 * them going.
 */
export function createReportLimiter(): { mayReport(kind: string, now: number): boolean } {
  let windowEndsAt = 0;
  let total = 0;
  let byKind = new Map<string, number>();
  return {
    mayReport(kind, now) {
      if (now >= windowEndsAt) {
        windowEndsAt = now + WINDOW_MS;
        total = 0;
        byKind = new Map();
      }
      const count = byKind.get(kind) ?? 0;
      if (count >= MAX_PER_KIND || total >= MAX_IN_ALL) return false;
      total += 1;
      byKind.set(kind, count + 1);
      return true;
    },
  };
}

import { MINUTE_MS } from "../time.ts";
import type { AlertTrigger } from "./alert-rule.ts";

/** A number of one issue, counted over the window that ends at an instant. */
export interface CountedWindow {
  issueId: number;
  /** The end of the window. Milliseconds since 1970. */
  at: number;
  value: number;
}

/** One firing that a rule would have had. */
export interface RehearsedFiring {
  issueId: number;
  trigger: AlertTrigger["kind"];
  at: number;
  /** When the number fell below the line again. Null: it did not until the end, or the trigger is a change. */
  endedAt: number | null;
  peak: number | null;
}

/**
 * The periods in which a number was on or above the line, as `watch-issues` finds them: one begins where an issue has no open one, and ends where a
 * later look finds it below. `windows` are those on or above `count`, in any order; looks are `stepMs` apart.
 */
export function findPeriods(
  windows: readonly CountedWindow[],
  { kind, count, stepMs, until }: { kind: "events" | "users"; count: number; stepMs: number; until: number },
): RehearsedFiring[] {
  const above = windows.filter(({ value }) => value >= count).sort((one, other) => one.at - other.at);
  const open = new Map<number, RehearsedFiring & { lastAt: number }>();
  const periods: Array<RehearsedFiring & { lastAt: number }> = [];
  for (const { issueId, at, value } of above) {
    const known = open.get(issueId);
    if (known && at - known.lastAt <= stepMs) {
      known.lastAt = at;
      known.peak = Math.max(known.peak ?? 0, value);
      continue;
    }
    const period = { issueId, trigger: kind, at, endedAt: null, peak: value, lastAt: at };
    open.set(issueId, period);
    periods.push(period);
  }
  return periods.map(({ lastAt, ...period }) => ({
    ...period,
    endedAt: lastAt + stepMs <= until ? lastAt + stepMs : null,
  }));
}

/**
 * Leaves out firings within the frequency of the rule: those of the same issue, whatever the trigger. Returns the others sorted by
 * time.
 */
export function applyFrequency(firings: readonly RehearsedFiring[], frequencyMinutes: number): RehearsedFiring[] {
  const lastAt = new Map<number, number>();
  return [...firings]
    .sort((one, other) => one.at - other.at || one.issueId - other.issueId)
    .filter(({ issueId, at }) => {
      const last = lastAt.get(issueId);
      if (last !== undefined && frequencyMinutes > 0 && last > at - frequencyMinutes * MINUTE_MS) return false;
      lastAt.set(issueId, at);
      return true;
    });
}

/** If a rule fired more often than this, people stop reading it, and a better line is suggested. */
export const MANY_FIRINGS = 5;

export interface BetterLine {
  count: number;
  times: number;
}

/**
 * Suggests the lowest round line at which the rule would have fired at least once and at most half as often. It must still have fired
 * for every issue in `acted` for which it fired. Returns null if the rule did not fire often, or no line fits.
 * @param firesAt when the rule would have fired at a line; asked for the rule's own line and higher ones
 */
export function findBetterLine(
  count: number,
  firesAt: (line: number) => readonly Pick<RehearsedFiring, "issueId">[],
  acted: ReadonlySet<number> = new Set(),
): BetterLine | null {
  const own = firesAt(count);
  if (own.length <= MANY_FIRINGS) return null;
  const needed = new Set(own.flatMap(({ issueId }) => (acted.has(issueId) ? [issueId] : [])));
  for (const factor of [1.5, 2, 3, 5, 10, 20, 50, 100]) {
    const line = roundLine(count * factor);
    if (line <= count) continue;
    const fewer = firesAt(line);
    const kept = new Set(fewer.map(({ issueId }) => issueId));
    if (fewer.length === 0 || [...needed].some((issueId) => !kept.has(issueId))) return null;
    if (fewer.length * 2 <= own.length) return { count: line, times: fewer.length };
  }
  return null;
}

/** Rounds up to two digits. */
function roundLine(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / unit) * unit;
}

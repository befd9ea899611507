import { MINUTE_MS } from "../time.ts";
import type { AlertTrigger } from "./alert-rule.ts";

/** A number of one issue, counted over the window that ends at an instant. */
export interface CountedWindow {
  issueId: number;
  /** The end of the window. Milliseconds since 1970. */
  at: number;
  value: number;
}

/** One time that a rule would have fired. */
export interface RehearsedFiring {
  issueId: number;
  trigger: AlertTrigger["kind"];
  at: number;
  /** Of a number: when it was below the line again; null: at the end it was not, or a change. */
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

/** Leaves out what falls within the frequency of the rule: the same issue, whatever the trigger. Gives them in order. */
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

/** Fired more often than this, people look at none of it: then a better line is looked for. */
export const MANY_FIRINGS = 5;

export interface BetterLine {
  count: number;
  times: number;
}

/**
 * The lowest line, of those that people would type, at which it would have fired at most half as often, at least once, and for each issue of `acted` for
 * which it fired. Null: it did not fire often, or no line does that. `firesAt` gives when it would have fired at a line that is not below its own.
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

/** To two digits. */
function roundLine(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / unit) * unit;
}

import type { Downtime } from "../../domain/monitors/watch-runs.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { StripMark } from "./day-strip.tsx";

/** The marks in order of time, with marks for the downtimes of Culprit. Unknown marks within a downtime are left out. */
export function withDowntimes(marks: readonly StripMark[], downtimes: readonly Downtime[], from: number): StripMark[] {
  const down = downtimes
    .filter(({ to }) => to > from)
    .map((time): StripMark => ({ ...time, look: "unknown", words: "Culprit was down", isRange: true }));
  const isCovered = (mark: StripMark) =>
    mark.look === "unknown" && down.some((time) => time.from <= mark.from && mark.to <= time.to);
  return [...marks.filter((mark) => !isCovered(mark)), ...down].sort((a, b) => a.from - b.from);
}

/** The downtimes in words: `Culprit was down for 42 min`. Null: there were none. */
export function sayDowntimes(downtimes: readonly Downtime[], from: number): string | null {
  const minutes =
    downtimes.reduce((sum, time) => sum + Math.max(0, time.to - Math.max(from, time.from)), 0) / MINUTE_MS;
  if (minutes === 0) return null;
  const whole = Math.max(1, Math.round(minutes));
  return `Culprit was down for ${whole < 60 ? `${whole} min` : `${Math.floor(whole / 60)} h ${whole % 60} min`}`;
}

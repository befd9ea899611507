import {
  QUARTER_MS,
  type UptimeQuarter,
  type UptimeSettings,
  type UptimeState,
} from "../../domain/uptime/uptime-monitor.ts";

/** A quarter of an hour in the strip. `unknown`: nothing was checked, because the monitor did not exist yet or Culprit did not run. */
export interface Tick {
  at: number;
  kind: "up" | "some" | "down" | "unknown";
  words: string;
}

/** The quarters from `from` on, each with the result of its checks. */
export function toTicks(quarters: readonly UptimeQuarter[], { from, count }: { from: number; count: number }): Tick[] {
  const known = new Map(quarters.map((each) => [each.quarter, each]));
  return Array.from({ length: count }, (_, index): Tick => {
    const at = (from + index) * QUARTER_MS;
    const own = known.get(from + index);
    if (own === undefined || own.checks === 0) return { at, kind: "unknown", words: "not checked" };
    const { checks, failed, meanMs } = own;
    if (failed === checks) return { at, kind: "down", words: `${failed} of ${checks} checks failed` };
    const words =
      failed === 0 ? `${checks} checks, ${formatMs(meanMs)} on average` : `${failed} of ${checks} checks failed`;
    return { at, kind: failed === 0 ? "up" : "some", words };
  });
}

/** A share in words: `99.95 %`. It is never 100 if a check failed. */
export function formatAvailability(share: number | null): string {
  if (share === null) return "not checked";
  if (share === 1) return "100 %";
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`;
}

export function formatMs(milliseconds: number | null): string {
  if (milliseconds === null) return "no answer";
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

const SPANS: ReadonlyArray<[seconds: number, one: string, many: string]> = [
  [86_400, "day", "days"],
  [3_600, "hour", "hours"],
  [60, "minute", "minutes"],
  [1, "second", "seconds"],
];

/** An interval in words: `every 5 minutes`. */
export function sayEvery(seconds: number): string {
  const [size, one, many] = SPANS.find(([each]) => seconds % each === 0) ?? [1, "second", "seconds"];
  const count = seconds / size;
  return count === 1 ? `every ${one}` : `every ${count} ${many}`;
}

/** What is checked, as a sentence without its end. */
export function sayChecked({ target, intervalSeconds, assertions, timeoutMs }: UptimeSettings): string {
  const what = target.kind === "tcp" ? "connects" : target.method;
  const more =
    assertions.length === 0 ? "" : `, ${assertions.length} ${assertions.length === 1 ? "assertion" : "assertions"}`;
  return `${what} ${sayEvery(intervalSeconds)}, within ${formatMs(timeoutMs)}${more}`;
}

/** The state in one word. */
export function sayStatus({ status }: Pick<UptimeState, "status">, isPaused: boolean): string {
  if (isPaused) return "Paused";
  return { unknown: "Not checked yet", up: "Up", confirming: "Being confirmed", down: "Down" }[status];
}

/** A duration in words: `12 min`, `3 h 5 min`, `2 d 4 h`. */
export function formatSpan(milliseconds: number): string {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

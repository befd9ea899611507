import { formatDuration } from "../../ui/format-duration.ts";
import type { LaneKind, TimelineItem, TimelineLane } from "./timeline.ts";
import type { TimelineTime } from "./timeline-options.ts";

/** An offset as text: `−2.34 s`, `+60 ms`, `0`. `us`: microseconds since the throw. */
export function formatOffset(us: number): string {
  if (Math.abs(us) < 0.5) return "0";
  return us < 0 ? `−${formatDuration(-us)}` : `+${formatDuration(us)}`;
}

/**
 * A time of day like `11:12:32`, with as many decimals as the step between two times needs.
 * @param stepUs microseconds; no decimals from one second on
 */
export function formatClock(us: number, isLocal: boolean, stepUs: number): string {
  const instant = new Date(Math.floor(us / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  const time = isLocal
    ? `${two(instant.getHours())}:${two(instant.getMinutes())}:${two(instant.getSeconds())}`
    : instant.toISOString().slice(11, 19);
  if (stepUs >= 1e6) return time;
  const below = String(Math.floor(((us % 1e6) + 1e6) % 1e6)).padStart(6, "0");
  return `${time}.${stepUs >= 1_000 ? below.slice(0, 3) : below}`;
}

/** A time in the form that the ruler uses. `originUs`: the throw, in microseconds since 1970. */
export function formatTime(
  us: number,
  { time, originUs, stepUs }: { time: TimelineTime; originUs: number; stepUs: number },
): string {
  return time === "throw" ? formatOffset(us) : formatClock(originUs + us, time === "local", stepUs);
}

const THINGS: Record<LaneKind, [one: string, many: string]> = {
  deploys: ["deploy", "deploys"],
  user: ["action", "actions"],
  crumbs: ["breadcrumb", "breadcrumbs"],
  browser: ["span", "spans"],
  network: ["request", "requests"],
  service: ["span", "spans"],
  queries: ["query", "queries"],
  logs: ["line", "lines"],
  errors: ["error", "errors"],
  files: ["thing", "things"],
  replay: ["recording", "recordings"],
};

/** The number of items in words: `42 spans`. */
export function countThings({ kind, total }: Pick<TimelineLane, "kind" | "total">): string {
  const [one, many] = THINGS[kind];
  return `${total.toLocaleString("en")} ${total === 1 ? one : many}`;
}

/** Says how many items are drawn. Null: all are. */
export function sayNotDrawn({ kind, items, total }: TimelineLane): string | null {
  const drawn = kind === "network" ? items.filter(({ key }) => !key.startsWith("answer ")).length : items.length;
  if (drawn >= total) return null;
  return `${drawn} drawn: what failed, then what took longest`;
}

/** The words for a screen reader: `POST /api/checkout 502, −5.53 s to −20 ms`. */
export function describeItem({ label, note, fromUs, toUs, level, isThis }: TimelineItem): string {
  const words = [level, label, note].filter(Boolean).join(" ");
  if (isThis) return `${words}, the throw`;
  return toUs === null
    ? `${words}, ${formatOffset(fromUs)}`
    : `${words}, ${formatOffset(fromUs)} to ${formatOffset(toUs)}, ${formatDuration(toUs - fromUs)}`;
}

/** What a lane did at an instant, and since when or how long ago. */
export function readLaneAt(items: readonly TimelineItem[], atUs: number): { what: string; when: string } {
  let running: TimelineItem | null = null;
  let last: TimelineItem | null = null;
  for (const item of items) {
    if (item.fromUs > atUs) continue;
    if (item.toUs !== null && item.toUs >= atUs) {
      if (running === null || item.fromUs >= running.fromUs) running = item;
    } else if (last === null || (item.toUs ?? item.fromUs) > (last.toUs ?? last.fromUs)) last = item;
  }
  if (running) {
    const whole = (running.toUs ?? 0) - running.fromUs;
    return { what: running.label, when: `${formatDuration(atUs - running.fromUs)} of ${formatDuration(whole)}` };
  }
  if (last) return { what: last.label, when: `${formatDuration(atUs - (last.toUs ?? last.fromUs))} ago` };
  return { what: "", when: "nothing yet" };
}

import type { TimeRange } from "./timeline.ts";

/** How a timeline is looked at: all of it is in the address. Times are microseconds since the throw. */
export interface TimelineOptions {
  /** What is in sight; null: the window that is looked at first. */
  window: TimeRange | null;
  /** Where the cursor stands; null: nowhere. */
  atUs: number | null;
  /** Key of the item that is open. */
  item: string | null;
  /** What the ruler counts from. */
  time: TimelineTime;
  /** Times as they were sent, although the clocks seem to differ. */
  isAsSent: boolean;
  /** One thing after the other, in words. */
  isList: boolean;
}

export const TIMELINE_TIMES = ["throw", "utc", "local"] as const;
export type TimelineTime = (typeof TIMELINE_TIMES)[number];

/** Below it, ticks would have no names. */
export const MIN_WINDOW_US = 20;
const MAX_US = 90 * 86_400 * 1e6;
const MAX_KEY = 100;

export function readTimelineOptions(search: URLSearchParams): TimelineOptions {
  const from = readMs(search.get("from"));
  const to = readMs(search.get("to"));
  const time = search.get("time");
  const item = search.get("item");
  return {
    window: from !== null && to !== null && to - from >= MIN_WINDOW_US ? { fromUs: from, toUs: to } : null,
    atUs: readMs(search.get("at")),
    item: item !== null && item !== "" && item.length <= MAX_KEY ? item : null,
    time: TIMELINE_TIMES.find((each) => each === time) ?? "throw",
    isAsSent: search.get("clocks") === "sent",
    isList: search.get("view") === "list",
  };
}

/** What says something else than by default, in a fixed order. Empty: nothing. */
export function writeTimelineOptions({ window, atUs, item, time, isAsSent, isList }: TimelineOptions): string {
  const search = new URLSearchParams();
  if (window) {
    search.set("from", writeMs(window.fromUs));
    search.set("to", writeMs(window.toUs));
  }
  if (atUs !== null) search.set("at", writeMs(atUs));
  if (item !== null) search.set("item", item);
  if (time !== "throw") search.set("time", time);
  if (isAsSent) search.set("clocks", "sent");
  if (isList) search.set("view", "list");
  return search.toString();
}

export function toTimelinePath(eventId: string, options: Partial<TimelineOptions> = {}): string {
  const search = writeTimelineOptions({ ...readTimelineOptions(new URLSearchParams()), ...options });
  return `/events/${eventId}/timeline${search === "" ? "" : `?${search}`}`;
}

/** Milliseconds, as they stand in an address, to the microsecond. */
function writeMs(us: number): string {
  return String(Math.round(us) / 1000);
}

function readMs(text: string | null): number | null {
  if (text === null || !/^-?\d{1,10}(?:\.\d{1,3})?$/.test(text)) return null;
  const us = Math.round(Number(text) * 1000);
  return Math.abs(us) <= MAX_US ? us : null;
}

import type { TimeRange } from "./timeline.ts";

/** How a timeline is shown. All of it is in the address. Times are microseconds since the throw. */
export interface TimelineOptions {
  /** The visible window. Null: the initial window. */
  window: TimeRange | null;
  /** The place of the cursor. Null: there is none. */
  atUs: number | null;
  /** The key of the open item. Null: none is open. */
  item: string | null;
  /** The zero point of the ruler. */
  time: TimelineTime;
  /** Shows times as they were sent, even if the clocks seem to differ. */
  isAsSent: boolean;
  /** Shows the list in words instead of the axis. */
  isList: boolean;
}

export const TIMELINE_TIMES = ["throw", "utc", "local"] as const;
export type TimelineTime = (typeof TIMELINE_TIMES)[number];

/** In a narrower window, ticks would have no names. */
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

/** The options that differ from the defaults as search parameters, in a fixed order. Empty: none differ. */
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

/** Milliseconds for an address, with microseconds as decimals. */
function writeMs(us: number): string {
  return String(Math.round(us) / 1000);
}

function readMs(text: string | null): number | null {
  if (text === null || !/^-?\d{1,10}(?:\.\d{1,3})?$/.test(text)) return null;
  const us = Math.round(Number(text) * 1000);
  return Math.abs(us) <= MAX_US ? us : null;
}

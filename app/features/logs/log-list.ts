import type { LogLine } from "../../domain/logs/log-line.ts";
import type { LogPlace } from "../../stores/events/logs.ts";
import { toLineKeys } from "./line-keys.ts";

// The lines of a page that grows at both ends: older ones come as somebody scrolls, new ones as they are stored.

/** A line of the list. `key` tells it from all others there. */
export interface ListedLine extends LogLine {
  key: string;
  /** It has come since the page was opened. */
  isNew: boolean;
}

export interface LogList {
  /** Newest first. */
  lines: ListedLine[];
  /** Where older lines begin; null: there are none. */
  next: LogPlace | null;
  /** See `LogPage`. */
  readUpTo: number | null;
  /** New lines that are not shown yet. */
  waiting: LogLine[];
  /** New lines that waited until there were too many. */
  droppedCount: number;
}

/** What a page or an answer has of lines. */
export type LinesPage = Pick<LogList, "next" | "readUpTo"> & { lines: readonly LogLine[] };

/** What a browser holds of them; it draws those in sight. */
export const MAX_LISTED = 100_000;

export function toLogList({ lines, next, readUpTo }: LinesPage): LogList {
  return { lines: toListed(lines, false), next, readUpTo, waiting: [], droppedCount: 0 };
}

/**
 * The page was read again. If it has none of the lines that are there, nobody knows what lies between, and the list begins again. Not so where the
 * reading stopped before it came to them (`readUpTo`) and new lines come by themselves (`isLive`).
 */
export function withPage(list: LogList, page: LinesPage, isLive: boolean): LogList {
  const known = new Set([...list.lines.map(({ id }) => id), ...list.waiting.map(({ id }) => id)]);
  if (!page.lines.some(({ id }) => known.has(id)))
    return isLive && page.readUpTo !== null && known.size > 0 ? list : toLogList(page);
  return { ...list, lines: merge(list.lines, toListed(page.lines, false), "before") };
}

export function withOlder(list: LogList, { lines, next, readUpTo }: LinesPage): LogList {
  return { ...list, lines: merge(list.lines, toListed(lines, false), "behind"), next, readUpTo };
}

/** New lines, in the order in which they came, whatever their times are. While somebody reads (`isPaused`), they wait. */
export function withNew(list: LogList, lines: readonly LogLine[], isPaused: boolean): LogList {
  if (lines.length === 0) return list;
  const waiting = [...list.waiting, ...lines];
  const dropped = Math.max(0, waiting.length - MAX_LISTED);
  const next = { ...list, waiting: waiting.slice(dropped), droppedCount: list.droppedCount + dropped };
  return isPaused ? next : showWaiting(next);
}

export function showWaiting(list: LogList): LogList {
  if (list.waiting.length === 0) return list;
  // Behind lines that were dropped, the others would look as if they came next.
  const others = list.droppedCount > 0 ? [] : list.lines;
  const lines = merge(others, toListed(list.waiting.toReversed(), true), "before");
  const isCut = lines.length > MAX_LISTED || list.droppedCount > 0;
  const kept = lines.slice(0, MAX_LISTED);
  const last = kept.at(-1);
  return {
    lines: kept,
    ...(isCut && last ? { next: { id: last.id }, readUpTo: null } : { next: list.next, readUpTo: list.readUpTo }),
    waiting: [],
    droppedCount: 0,
  };
}

/**
 * Lines that are there already stay as they are. Of many, those of the time of the added ones are looked at: an id names a time. `place`: of added lines
 * among those of the same microsecond. SDKs write many lines in one, and the store gives the one that came last first.
 */
function merge(known: readonly ListedLine[], added: readonly ListedLine[], place: "before" | "behind"): ListedLine[] {
  if (added.length === 0) return [...known];
  let [newest, oldest] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { occurredUs } of added) {
    newest = Math.max(newest, occurredUs);
    oldest = Math.min(oldest, occurredUs);
  }
  const from = findPlace(known, newest);
  const to = findPlace(known, oldest - 1);
  const between = known.slice(from, to);
  const keys = new Set(between.map(({ key }) => key));
  const fresh = added.filter(({ key }) => !keys.has(key));
  const all = place === "before" ? [...fresh, ...between] : [...between, ...fresh];
  const merged = all.sort((one, other) => other.occurredUs - one.occurredUs);
  return known.slice(0, from).concat(merged, known.slice(to));
}

/** How many lines are newer than the instant. */
function findPlace(lines: readonly ListedLine[], occurredUs: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((lines[middle] as ListedLine).occurredUs > occurredUs) low = middle + 1;
    else high = middle;
  }
  return low;
}

function toListed(lines: readonly LogLine[], isNew: boolean): ListedLine[] {
  const keys = toLineKeys(lines);
  return lines.map((line, index) => ({ ...line, key: keys[index] as string, isNew }));
}

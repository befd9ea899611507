import type { LogLine } from "../../domain/logs/log-line.ts";
import type { LogPlace } from "../../stores/events/logs.ts";
import { toLineKeys } from "./line-keys.ts";

// The lines of a page that grows at both ends: older lines are added when somebody scrolls, new ones when they are stored.

/** A line of the list. `key` is unique in the list. */
export interface ListedLine extends LogLine {
  key: string;
  /** Whether it arrived after the page was opened. */
  isNew: boolean;
}

export interface LogList {
  /** Newest first. */
  lines: ListedLine[];
  /** The place where older lines begin. Null: there are none. */
  next: LogPlace | null;
  /** See `LogPage`. */
  readUpTo: number | null;
  /** New lines that are not shown yet. */
  waiting: LogLine[];
  /** The number of new lines that were dropped because too many were waiting. */
  droppedCount: number;
}

/** The lines of a page or an answer. */
export type LinesPage = Pick<LogList, "next" | "readUpTo"> & { lines: readonly LogLine[] };

/** Lines that a browser keeps. It draws only the visible ones. */
export const MAX_LISTED = 100_000;

export function toLogList({ lines, next, readUpTo }: LinesPage): LogList {
  return { lines: toListed(lines, false), next, readUpTo, waiting: [], droppedCount: 0 };
}

/**
 * Adds a page that was read again. If it shares no line with the list, there may be lines between them, and the list starts over.
 * It does not if the read stopped early (`readUpTo`) and new lines arrive by themselves (`isLive`).
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

/** Adds new lines in the order of their arrival, whatever their times. While somebody reads (`isPaused`), they wait. */
export function withNew(list: LogList, lines: readonly LogLine[], isPaused: boolean): LogList {
  if (lines.length === 0) return list;
  const waiting = [...list.waiting, ...lines];
  const dropped = Math.max(0, waiting.length - MAX_LISTED);
  const next = { ...list, waiting: waiting.slice(dropped), droppedCount: list.droppedCount + dropped };
  return isPaused ? next : showWaiting(next);
}

export function showWaiting(list: LogList): LogList {
  if (list.waiting.length === 0) return list;
  // After dropped lines, the older lines would look as if they followed directly.
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
 * Merges lines into a list. Lines that are already there are not changed. Only known lines within the time of the added ones are
 * compared: an id implies a time. `place`: where added lines go among lines of the same microsecond. SDKs write many lines in one,
 * and the store returns the latest arrival first.
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

/** The number of lines that are newer than the instant. */
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

import type { LogLine } from "../../domain/logs/log-line.ts";
import { printValue, toSearchValue } from "../../domain/search/print-search.ts";
import { printSearchKey } from "../../domain/search/search-key.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time.ts";
import type { LogPlace } from "../../stores/events/logs.ts";
import {
  appendPlaceFilters,
  type PlaceFilters,
  readChoices,
  readPlaceFilters,
  withParams,
} from "../filters/filter-params.ts";
import { findRange, pickRanges } from "../filters/time-ranges.ts";
import { addToSearch, hasFilter } from "../search/add-to-search.ts";
import { isLineId, printPlace, readOldLine, readPlace } from "./log-place.ts";

export const LOG_RANGES = pickRanges("15m", "1h", "24h", "7d", "14d", "30d", "90d");
export type LogRange = (typeof LOG_RANGES)[number]["value"];

/** Columns beside time, severity and message. All other columns are attributes. */
export const LOG_COLUMNS = [
  "service",
  "logger",
  "release",
  "environment",
  "server.address",
  "user.id",
  "trace",
] as const;
const MAX_COLUMNS = 8;
const MAX_KEY_LENGTH = 200;

/** Which lines around the open line are shown. */
export const LOG_AROUND = ["all", "service", "trace"] as const;
export type LogAround = (typeof LOG_AROUND)[number];

/** The filters in the URL of the page. They hold everything that changes the view, so a link shows the same. */
export interface LogFilters extends PlaceFilters {
  range: LogRange;
  /** Replaces the range, in milliseconds since 1970. The end is exclusive. */
  window: { from: number; to: number } | null;
  search: string;
  columns: string[];
  /** The key whose values the lines are counted by. Null: none. */
  by: string | null;
  /** Only lines before this place. Null: from the newest on. */
  before: LogPlace | null;
  /** The id of the open line, or the place by which older links named it. Null: none is open. */
  line: string | null;
  around: LogAround;
  /** Whether new lines appear automatically. */
  isLive: boolean;
}

const DEFAULT_RANGE = "24h";
/** The columns of filters without a choice. Only filters without a choice have this very array: a reader may choose the same columns. */
export const DEFAULT_COLUMNS = ["service"];

/** The columns of a table with these lines, with the index of their values. A default column is shown only if its values differ. */
export function listShownColumns(
  { columns }: Pick<LogFilters, "columns">,
  lines: ReadonlyArray<Pick<LogLine, "values">>,
): Array<{ key: string; index: number }> {
  return columns
    .map((key, index) => ({ key, index }))
    .filter(
      ({ index }) =>
        columns !== DEFAULT_COLUMNS || lines.some(({ values }) => values[index] !== lines[0]?.values[index]),
    );
}

/**
 * The address for the fields of a form. `shown`: columns that were ticked in the form because they are shown, not because the
 * reader chose them.
 */
export function toAskedPath(fields: URLSearchParams, shown: readonly string[]): string {
  const asked = parseLogFilters(fields);
  const isAsShown = shown.length > 0 && asked.columns.join("\n") === shown.join("\n");
  return toLogsPath(asked, isAsShown ? { columns: DEFAULT_COLUMNS } : {});
}

/** Never fails: a value that it does not know becomes the default. */
export function parseLogFilters(params: URLSearchParams): LogFilters {
  const columns = readChoices(params, "col", MAX_COLUMNS).filter((key) => key.length <= MAX_KEY_LENGTH);
  return {
    ...readPlaceFilters(params),
    range: findRange(LOG_RANGES, params.get("range"), DEFAULT_RANGE).value,
    window: readWindow(params.get("range")),
    search: params.get("q")?.trim() ?? "",
    columns: columns.length > 0 ? columns : DEFAULT_COLUMNS,
    by: readKey(params.get("by")),
    before: readPlace(params.get("before")),
    line: readLine(params.get("line")),
    isLive: params.get("live") === "1" && params.get("before") === null && readWindow(params.get("range")) === null,
    around: LOG_AROUND.find((each) => each === params.get("around")) ?? "all",
  };
}

/** The address of the page with something changed. Any change but of the open line goes back to the newest lines. */
export function toLogsPath(filters: LogFilters, change: Partial<LogFilters> = {}): string {
  const isOfLine = Object.keys(change).every((name) => name === "line" || name === "around");
  const next = { ...filters, ...(isOfLine ? {} : { before: null, line: null }), ...change };
  const params = new URLSearchParams();
  appendPlaceFilters(params, next);
  if (next.window) params.set("range", `${next.window.from}-${next.window.to}`);
  else if (next.range !== DEFAULT_RANGE) params.set("range", next.range);
  if (next.search !== "") params.set("q", next.search);
  if (next.columns !== DEFAULT_COLUMNS) for (const key of next.columns) params.append("col", key);
  if (next.by !== null) params.set("by", next.by);
  // Lines before a place, or up to an instant, cannot get new ones.
  if (next.isLive && !next.before && !next.window) params.set("live", "1");
  if (next.before) params.set("before", printPlace(next.before));
  if (next.line) params.set("line", next.line);
  if (next.line && next.around !== "all") params.set("around", next.around);
  return withParams("/logs", params);
}

/** An address for scripts with the same filters as the page, without the open line. */
export function toLinesPath(path: string, filters: LogFilters, more: Record<string, string>): string {
  const { search } = new URL(
    toLogsPath(filters, { by: null, before: null, line: null, isLive: false }),
    "http://page.invalid",
  );
  return withParams(path, new URLSearchParams([...new URLSearchParams(search), ...Object.entries(more)]));
}

/** Milliseconds since 1970. The end is a little in the future, because senders' clocks may be ahead. */
export function toLogTime({ range, window }: LogFilters, now: number): { from: number; to: number } {
  if (window) return window;
  return { from: now - findRange(LOG_RANGES, range, DEFAULT_RANGE).durationMs, to: now + MINUTE_MS };
}

/** Approximate maximum of bars in a histogram. */
const MAX_BUCKETS = 60;
const BUCKETS_MS = [1, 5, 15, 60, 300, 900, 3_600, 10_800, 21_600, 43_200, 86_400, 172_800].map((s) => s * 1000);

export function toBucketMs({ from, to }: { from: number; to: number }): number {
  const share = (to - from) / MAX_BUCKETS;
  return BUCKETS_MS.find((size) => size >= share) ?? Math.ceil(share / DAY_MS) * DAY_MS;
}

/** The search with a filter added, or removed if it was there. The opposite filter is removed. */
export function toggleFilter(search: string, key: string, value: string, { isNegated = false } = {}): string {
  const filter = toFilter(key, value);
  const [word, opposite] = isNegated ? [`!${filter}`, filter] : [filter, `!${filter}`];
  if (hasFilter(search, word)) return withoutFilter(search, word);
  return addToSearch(withoutFilter(search, opposite), word);
}

/** The result of a click on a filter without a value, like `!has:user.id`. */
export function toggleFlag(filters: LogFilters, word: string): { isIn: boolean; to: string } {
  const isIn = hasFilter(filters.search, word);
  const search = isIn ? withoutFilter(filters.search, word) : addToSearch(filters.search, word);
  return { isIn, to: toLogsPath(filters, { search }) };
}

function withoutFilter(search: string, word: string): string {
  return ` ${search} `.replace(` ${word} `, " ").trim();
}

export function isFiltered(search: string, key: string, value: string): boolean {
  return hasFilter(search, toFilter(key, value));
}

function toFilter(key: string, value: string): string {
  return `${printSearchKey({ key, isTag: false })}:${printValue(toSearchValue(value))}`;
}

function readKey(text: string | null): string | null {
  const key = text?.trim() ?? "";
  return key !== "" && key.length <= MAX_KEY_LENGTH ? key : null;
}

function readLine(text: string | null): string | null {
  return text !== null && (isLineId(text) || readOldLine(text) !== null) ? text : null;
}

function readWindow(text: string | null): LogFilters["window"] {
  const [, from, to] = /^(\d{1,14})-(\d{1,14})$/.exec(text ?? "") ?? [];
  const window = { from: Number(from), to: Number(to) };
  return window.from < window.to ? window : null;
}

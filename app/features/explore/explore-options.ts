import { readNamedTag } from "../../domain/search/named-tag.ts";
import { quote } from "../../domain/search/quote.ts";
import { printSearchKey } from "../../domain/search/search-key.ts";
import { readSpanFigure, type SpanFigure } from "../../domain/spans/span-figure.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { appendPlaceFilters, type PlaceFilters, readPlaceFilters, withParams } from "../filters/filter-params.ts";
import { findRange, pickRanges } from "../filters/time-ranges.ts";
import { addToSearch } from "../search/add-to-search.ts";
import { printSelection, readSelection, type Selection } from "./selection.ts";

export const EXPLORE_PERIODS = pickRanges("1h", "6h", "24h", "7d", "14d", "30d");
type Period = (typeof EXPLORE_PERIODS)[number];
const DEFAULT_PERIOD = "24h";

/** The length of each point of the charts in milliseconds. */
export const BUCKET_MS: Readonly<Record<Period["value"], number>> = {
  "1h": MINUTE_MS,
  "6h": 10 * MINUTE_MS,
  "24h": 30 * MINUTE_MS,
  "7d": 3 * HOUR_MS,
  "14d": 6 * HOUR_MS,
  "30d": 12 * HOUR_MS,
};

/** The time that the page searches, in milliseconds since 1970. It consists of whole points of the charts, including the current one. */
export function toExploreTime(
  { value, durationMs }: Period,
  now: number,
): { from: number; to: number; bucketMs: number } {
  const bucketMs = BUCKET_MS[value];
  const to = Math.floor(now / bucketMs) * bucketMs + bucketMs;
  return { from: to - Math.ceil(durationMs / bucketMs) * bucketMs, to, bucketMs };
}

const EXPLORE_VIEWS = ["samples", "traces", "aggregates", "attributes"] as const;
export type ExploreView = (typeof EXPLORE_VIEWS)[number];

export const MAX_GROUP_KEYS = 3;
export const MAX_SHOWN = 4;
const DEFAULT_SHOW = toFigures(["count()", "failure_rate()", "p95(span.duration)"]);
const DEFAULT_BY: readonly string[] = ["span.op"];

export interface GroupSort {
  name: string;
  isDescending: boolean;
}

/** The whole state of the page. It is in the address. */
export interface ExploreOptions extends PlaceFilters {
  search: string;
  period: Period;
  show: readonly SpanFigure[];
  by: readonly string[];
  view: ExploreView;
  order: "newest" | "slowest";
  /** The order of groups, by a figure or key that is shown. Null: those of most spans first. Charts show the first groups. */
  sort: GroupSort | null;
  cursor: string | null;
  /** Only spans that were stored before this ordinal are searched: a long search continues there. Null: all spans. */
  before: number | null;
  /** The brushed part of the heatmap. Null: none. */
  selection: Selection | null;
}

const SEARCH_OPTIONS: ReadonlyArray<keyof ExploreOptions> = ["search", "projectSlugs", "environments", "period"];

/** Never fails: a value that it does not understand becomes the default. `period` is what addresses of older versions call the range. */
export function readExploreOptions(params: URLSearchParams): ExploreOptions {
  const show = toFigures(params.getAll("show"));
  const by = params.getAll("by").filter((key) => key !== "" && key.length <= 200);
  const shown = show.length > 0 ? show.slice(0, MAX_SHOWN) : DEFAULT_SHOW;
  const keys = params.has("by") ? [...new Set(by)].slice(0, MAX_GROUP_KEYS) : DEFAULT_BY;
  return {
    search: params.get("q")?.trim() ?? "",
    ...readPlaceFilters(params),
    period: findRange(EXPLORE_PERIODS, params.get("range") ?? params.get("period"), DEFAULT_PERIOD),
    show: shown,
    by: keys,
    view: EXPLORE_VIEWS.find((view) => view === params.get("view")) ?? "samples",
    order: params.get("order") === "slowest" ? "slowest" : "newest",
    sort: readSort(params.get("sort"), [...shown.map(({ name }) => name), ...keys]),
    cursor: params.get("cursor") || null,
    before: /^\d{1,15}$/.test(params.get("before") ?? "") ? Number(params.get("before")) : null,
    selection: readSelection(params.get("selection")),
  };
}

/** The span figures that the texts name, without duplicates. Texts that name no figure are left out. */
function toFigures(texts: readonly string[]): SpanFigure[] {
  const figures = texts.flatMap((text) => readSpanFigure(text) ?? []);
  return [...new Map(figures.map((figure) => [figure.name, figure])).values()];
}

function readSort(text: string | null, names: readonly string[]): GroupSort | null {
  const name = text?.replace(/^-/, "") ?? "";
  return names.includes(name) ? { name, isDescending: text !== name } : null;
}

export function printSort({ name, isDescending }: GroupSort): string {
  return `${isDescending ? "-" : ""}${name}`;
}

/**
 * The address of the page with these changes. Any change goes back to the first page. A change of the search also goes back to the
 * newest spans.
 */
export function toExplorePath(options: ExploreOptions, change: Partial<ExploreOptions> = {}): string {
  const isOtherSearch = SEARCH_OPTIONS.some((name) => name in change);
  const next = { ...options, cursor: null, ...(isOtherSearch ? { before: null } : {}), ...change };
  const params = new URLSearchParams();
  if (next.search) params.set("q", next.search);
  appendPlaceFilters(params, next);
  if (next.period.value !== DEFAULT_PERIOD) params.set("range", next.period.value);
  const show = next.show.map(({ name }) => name);
  if (show.join() !== DEFAULT_SHOW.map(({ name }) => name).join()) for (const name of show) params.append("show", name);
  if (next.by.join() !== DEFAULT_BY.join())
    for (const key of next.by.length > 0 ? next.by : [""]) params.append("by", key);
  if (next.view !== "samples") params.set("view", next.view);
  if (next.order !== "newest") params.set("order", next.order);
  if (next.sort) params.set("sort", printSort(next.sort));
  if (next.selection) params.set("selection", printSelection(next.selection));
  if (next.before !== null) params.set("before", String(next.before));
  if (next.cursor) params.set("cursor", next.cursor);
  return withParams("/traces", params);
}

/** The search with one more filter at its end. */
export function addFilter(search: string, key: string, value: string, isNegated = false): string {
  const tag = readNamedTag(key);
  const filter = `${isNegated ? "!" : ""}${printSearchKey({ key: tag?.key ?? key, isTag: tag !== null })}:${quote(value)}`;
  return addToSearch(search, filter);
}

/** The key for a search for an attribute's value: a listed name of spans stands for a group of names. */
export function toFilterKey(key: string): string {
  return key === "span.name" ? "span.group" : key;
}

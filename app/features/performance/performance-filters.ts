import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { appendPlaceFilters, type PlaceFilters, readPlaceFilters, withParams } from "../filters/filter-params.ts";
import { findRange, pickRanges } from "../filters/time-ranges.ts";

export const PERFORMANCE_RANGES = pickRanges("1h", "24h", "7d", "14d", "30d");
export type PerformanceRange = (typeof PERFORMANCE_RANGES)[number]["value"];
const DEFAULT_RANGE = "24h";

/** The length of each point in a transaction's graphs. */
const BUCKET_MS: Readonly<Record<PerformanceRange, number>> = {
  "1h": MINUTE_MS,
  "24h": HOUR_MS,
  "7d": 3 * HOUR_MS,
  "14d": 6 * HOUR_MS,
  "30d": 12 * HOUR_MS,
};

const TRANSACTION_SORTS = ["time", "throughput", "p50", "p95", "failures", "apdex", "change"] as const;
export type TransactionSort = (typeof TRANSACTION_SORTS)[number];

const PERFORMANCE_VIEWS = ["transactions", "vitals"] as const;
export type PerformanceView = (typeof PERFORMANCE_VIEWS)[number];

/** Longer than any name. Characters. */
const MAX_TEXT = 250;

/** The filters in the address of the page. */
export interface PerformanceFilters extends PlaceFilters {
  range: PerformanceRange;
  /** A part of a name. */
  text: string;
  sort: TransactionSort;
  view: PerformanceView;
}

/** Reads the filters. It never fails: unknown values become the default. */
export function parsePerformanceFilters(params: URLSearchParams): PerformanceFilters {
  return {
    ...readPlaceFilters(params),
    range: findRange(PERFORMANCE_RANGES, params.get("range"), DEFAULT_RANGE).value,
    text: params.get("q")?.trim().slice(0, MAX_TEXT) ?? "",
    sort: TRANSACTION_SORTS.find((sort) => sort === params.get("sort")) ?? "time",
    view: PERFORMANCE_VIEWS.find((view) => view === params.get("view")) ?? "transactions",
  };
}

/** The page's address with a change. */
export function toPerformancePath(filters: PerformanceFilters, change: Partial<PerformanceFilters> = {}): string {
  const next = { ...filters, ...change };
  const params = toShared(next);
  if (next.text !== "") params.set("q", next.text);
  if (next.sort !== "time") params.set("sort", next.sort);
  if (next.view !== "transactions") params.set("view", next.view);
  return withParams("/performance", params);
}

/** The address of a transaction, with the time and the environments. */
export interface TransactionAddress {
  /** The slug of the project. */
  project: string;
  /** Null: all transactions that have lost their names. */
  name: string | null;
  op: string;
  range: PerformanceRange;
  environments: string[];
}

/** Null: the address names no transaction. */
export function parseTransactionAddress(params: URLSearchParams): TransactionAddress | null {
  const project = params.get("project");
  if (!project) return null;
  const { environments, range } = parsePerformanceFilters(params);
  return { project, name: params.get("name"), op: params.get("op") ?? "", environments, range };
}

export function toTransactionPath(address: TransactionAddress, change: Partial<TransactionAddress> = {}): string {
  const { project, name, op, ...place } = { ...address, ...change };
  const params = new URLSearchParams({ project });
  if (name !== null) params.set("name", name);
  if (op !== "") params.set("op", op);
  for (const [key, value] of toShared({ ...place, projectSlugs: [] })) params.append(key, value);
  return withParams("/performance/transaction", params);
}

function toShared({ range, ...place }: PlaceFilters & { range: PerformanceRange }): URLSearchParams {
  const params = new URLSearchParams();
  appendPlaceFilters(params, place);
  if (range !== DEFAULT_RANGE) params.set("range", range);
  return params;
}

/** Whole buckets, including the one that is running. Milliseconds since 1970. `before`: the start of the period before. */
export interface PerformanceTime {
  from: number;
  to: number;
  before: number;
  bucketMs: number;
  /** How much of the time from `from` to `to` has passed. The throughput refers to this. */
  passedMs: number;
}

export function toPerformanceTime(range: PerformanceRange, now: number): PerformanceTime {
  const bucketMs = BUCKET_MS[range];
  const { durationMs } = findRange(PERFORMANCE_RANGES, range, DEFAULT_RANGE);
  // By the hour if that is enough, because sums of hours are few.
  const unitMs = Math.min(bucketMs, HOUR_MS);
  const to = Math.floor(now / unitMs) * unitMs + unitMs;
  const from = to - durationMs;
  return { from, to, before: from - durationMs, bucketMs, passedMs: now - from };
}

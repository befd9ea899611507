import { readAggregate, type SpanAggregate } from "../../domain/spans/span-aggregates.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";

export const EXPLORE_PERIODS = [
  { value: "1h", label: "Last hour", ms: HOUR_MS, bucketMs: MINUTE_MS },
  { value: "6h", label: "Last 6 hours", ms: 6 * HOUR_MS, bucketMs: 10 * MINUTE_MS },
  { value: "24h", label: "Last 24 hours", ms: DAY_MS, bucketMs: 30 * MINUTE_MS },
  { value: "7d", label: "Last 7 days", ms: 7 * DAY_MS, bucketMs: 3 * HOUR_MS },
  { value: "14d", label: "Last 14 days", ms: 14 * DAY_MS, bucketMs: 6 * HOUR_MS },
  { value: "30d", label: "Last 30 days", ms: 30 * DAY_MS, bucketMs: 12 * HOUR_MS },
] as const;
type Period = (typeof EXPLORE_PERIODS)[number];
const DEFAULT_PERIOD = EXPLORE_PERIODS[2];

export const EXPLORE_VIEWS = ["samples", "aggregates", "attributes"] as const;
export type ExploreView = (typeof EXPLORE_VIEWS)[number];

export const MAX_GROUP_KEYS = 3;
const MAX_SHOWN = 4;
const DEFAULT_SHOW: readonly SpanAggregate[] = ["count()", "failure_rate()", "p95(span.duration)"];
const DEFAULT_BY: readonly string[] = ["span.op"];

/** The whole state of the page, as its address says it. */
export interface ExploreOptions {
  search: string;
  /** Slug; null: all. */
  project: string | null;
  environment: string | null;
  period: Period;
  show: readonly SpanAggregate[];
  by: readonly string[];
  view: ExploreView;
  order: "newest" | "slowest";
  cursor: string | null;
}

/** What is not understood is as by default. */
export function readExploreOptions(params: URLSearchParams): ExploreOptions {
  const show = params.getAll("show").flatMap((text) => readAggregate(text) ?? []);
  const by = params.getAll("by").filter((key) => key !== "" && key.length <= 200);
  return {
    search: params.get("q")?.trim() ?? "",
    project: params.get("project") || null,
    environment: params.get("environment") || null,
    period: EXPLORE_PERIODS.find(({ value }) => value === params.get("period")) ?? DEFAULT_PERIOD,
    show: show.length > 0 ? [...new Set(show)].slice(0, MAX_SHOWN) : DEFAULT_SHOW,
    by: params.has("by") ? [...new Set(by)].slice(0, MAX_GROUP_KEYS) : DEFAULT_BY,
    view: EXPLORE_VIEWS.find((view) => view === params.get("view")) ?? "samples",
    order: params.get("order") === "slowest" ? "slowest" : "newest",
    cursor: params.get("cursor") || null,
  };
}

/** The address of the page with these changes. Another view or search begins at its first page. */
export function toExplorePath(options: ExploreOptions, change: Partial<ExploreOptions> = {}): string {
  const next = { ...options, cursor: null, ...change };
  const params = new URLSearchParams();
  if (next.search) params.set("q", next.search);
  if (next.project) params.set("project", next.project);
  if (next.environment) params.set("environment", next.environment);
  if (next.period !== DEFAULT_PERIOD) params.set("period", next.period.value);
  if (next.show.join() !== DEFAULT_SHOW.join()) for (const aggregate of next.show) params.append("show", aggregate);
  if (next.by.join() !== DEFAULT_BY.join())
    for (const key of next.by.length > 0 ? next.by : [""]) params.append("by", key);
  if (next.view !== "samples") params.set("view", next.view);
  if (next.order !== "newest") params.set("order", next.order);
  if (next.cursor) params.set("cursor", next.cursor);
  return params.size === 0 ? "/traces" : `/traces?${params}`;
}

/** The search with one more filter, after what is there. */
export function addFilter(search: string, key: string, value: string, isNegated = false): string {
  const filter = `${isNegated ? "!" : ""}${key}:"${value.replace(/["\\]/g, "\\$&")}"`;
  return search === "" ? filter : `${search} ${filter}`;
}

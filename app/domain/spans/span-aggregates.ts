import { type DurationHistogram, quantileOf } from "./duration-histogram.ts";

/** Figures of groups of spans, as people and tools name them. */
export const SPAN_AGGREGATES = [
  "count()",
  "failure_rate()",
  "avg(span.duration)",
  "p50(span.duration)",
  "p75(span.duration)",
  "p95(span.duration)",
  "p99(span.duration)",
  "max(span.duration)",
  "sum(span.duration)",
] as const;
/** Further figures, which tools also request. */
const FURTHER_AGGREGATES = ["failure_count()", "min(span.duration)", "p90(span.duration)"] as const;
export type SpanAggregate = (typeof SPAN_AGGREGATES | typeof FURTHER_AGGREGATES)[number];

const ALIASES: ReadonlyMap<string, SpanAggregate> = new Map([
  ["count(span.duration)", "count()"],
  ["count(id)", "count()"],
  ["count_sample()", "count()"],
  ["p100(span.duration)", "max(span.duration)"],
  ...(["avg", "min", "p50", "p75", "p90", "p95", "p99", "max", "sum"] as const).flatMap(
    (name): Array<[string, SpanAggregate]> => [
      [`${name}()`, `${name}(span.duration)`],
      [`${name}(duration)`, `${name}(span.duration)`],
      [`${name}(transaction.duration)`, `${name}(span.duration)`],
    ],
  ),
]);

/** Null: not an aggregate. Stock tools have shorter names for some. */
export function readAggregate(text: string): SpanAggregate | null {
  const name = text.replaceAll(" ", "");
  const known = [...SPAN_AGGREGATES, ...FURTHER_AGGREGATES].find((aggregate) => aggregate === name);
  return known ?? ALIASES.get(name) ?? null;
}

/** The data of a figure. See `SpanGroupSum`. */
export interface AggregatedSpans {
  weight: number;
  failedWeight: number;
  totalUs: number;
  durations: DurationHistogram;
}

/** `count` is a number of spans, `rate` from 0 to 1, `duration` in microseconds. */
export type AggregateUnit = "count" | "rate" | "duration";

export function unitOf(aggregate: SpanAggregate): AggregateUnit {
  if (aggregate === "count()" || aggregate === "failure_count()") return "count";
  return aggregate === "failure_rate()" ? "rate" : "duration";
}

const QUANTILES = {
  "min(span.duration)": 0,
  "p50(span.duration)": 0.5,
  "p75(span.duration)": 0.75,
  "p90(span.duration)": 0.9,
  "p95(span.duration)": 0.95,
  "p99(span.duration)": 0.99,
  "max(span.duration)": 1,
} as const satisfies Partial<Record<SpanAggregate, number>>;
export type SpanQuantile = keyof typeof QUANTILES;

export function isQuantile(aggregate: SpanAggregate): aggregate is SpanQuantile {
  return Object.hasOwn(QUANTILES, aggregate);
}

/** The share of spans, by weight, that take no longer than the quantile. From 0 to 1. */
export function shareOf(quantile: SpanQuantile): number {
  return QUANTILES[quantile];
}

/** Null where there are no spans. */
export function aggregateOf(aggregate: SpanAggregate, sum: AggregatedSpans): number | null {
  if (sum.weight <= 0) return unitOf(aggregate) === "count" ? 0 : null;
  if (isQuantile(aggregate)) return quantileOf(sum.durations, shareOf(aggregate));
  switch (aggregate) {
    case "count()":
      return sum.weight;
    case "failure_count()":
      return sum.failedWeight;
    case "failure_rate()":
      return sum.failedWeight / sum.weight;
    case "sum(span.duration)":
      return sum.totalUs;
    case "avg(span.duration)":
      return sum.totalUs / sum.weight;
  }
}

/** If fewer spans than this were kept of a larger number, the figure says little. */
const SURE_SPANS = 30;

/** Whether the sampling leaves too few spans for figures that one can rely on. */
export function isUnsure({ spans, weight }: { spans: number; weight: number }): boolean {
  return spans < SURE_SPANS && weight > spans * 1.001;
}

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
/** Those that tools ask for, too. */
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

/** What a figure is made from; see `SpanGroupSum`. */
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

/** Null where there are no spans. */
export function aggregateOf(aggregate: SpanAggregate, sum: AggregatedSpans): number | null {
  if (sum.weight <= 0) return unitOf(aggregate) === "count" ? 0 : null;
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
    case "min(span.duration)":
      return quantileOf(sum.durations, 0);
    case "p50(span.duration)":
      return quantileOf(sum.durations, 0.5);
    case "p75(span.duration)":
      return quantileOf(sum.durations, 0.75);
    case "p90(span.duration)":
      return quantileOf(sum.durations, 0.9);
    case "p95(span.duration)":
      return quantileOf(sum.durations, 0.95);
    case "p99(span.duration)":
      return quantileOf(sum.durations, 0.99);
    case "max(span.duration)":
      return quantileOf(sum.durations, 1);
  }
}

/** From fewer spans than these that were kept of more, a figure says little. */
const SURE_SPANS = 30;

/** Whether the sampling leaves too few spans for figures that one can rely on. */
export function isUnsure({ spans, weight }: { spans: number; weight: number }): boolean {
  return spans < SURE_SPANS && weight > spans * 1.001;
}

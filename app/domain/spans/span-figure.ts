import type { NumberSum } from "../number-sum.ts";
import { weightedQuantile } from "./duration-histogram.ts";
import {
  type AggregatedSpans,
  type AggregateUnit,
  aggregateOf,
  isQuantile,
  readAggregate,
  type SpanAggregate,
  shareOf,
  unitOf,
} from "./span-aggregates.ts";

/** A figure of spans: of how long they took, or of the numbers that an attribute has. */
export interface SpanFigure {
  /** The figure as it is written: `p95(span.duration)`, `avg(order.total)`. */
  name: string;
  aggregate: SpanAggregate;
  /** The attribute whose numbers take the place of durations. Null: the figure is of durations. */
  attribute: string | null;
}

/** Functions of the numbers of an attribute. */
export const NUMBER_FUNCTIONS = ["avg", "sum", "min", "max", "p50", "p75", "p90", "p95", "p99"] as const;

/** A figure of an attribute, as the `pattern` of a field. */
export const NUMBER_FIGURE_PATTERN = `(${NUMBER_FUNCTIONS.join("|")})\\(.{1,200}\\)`;

const NUMBER_FIGURE = new RegExp(`^(${NUMBER_FUNCTIONS.join("|")})\\((.{1,200})\\)$`, "s");

/** Null: no figure. */
export function readSpanFigure(text: string): SpanFigure | null {
  const known = readAggregate(text);
  if (known !== null) return { name: known, aggregate: known, attribute: null };
  const [, name, attribute] = NUMBER_FIGURE.exec(text.trim()) ?? [];
  const aggregate = name === undefined ? null : readAggregate(`${name}(span.duration)`);
  if (aggregate === null || attribute === undefined) return null;
  return { name: `${name}(${attribute})`, aggregate, attribute };
}

/** Attributes whose numbers are needed, each once. */
export function listNumberAttributes(figures: readonly SpanFigure[]): string[] {
  return [...new Set(figures.flatMap(({ attribute }) => attribute ?? []))];
}

/** The unit of a figure. `number`: the unit is unknown. */
export function unitOfSpanFigure({ aggregate, attribute }: SpanFigure): AggregateUnit | "number" {
  return attribute === null ? unitOf(aggregate) : "number";
}

/** @param numbers of the figure's attribute; undefined: no span of the group has one */
export function valueOfFigure(
  { aggregate, attribute }: SpanFigure,
  sum: AggregatedSpans,
  numbers: NumberSum | undefined,
): number | null {
  if (attribute === null) return aggregateOf(aggregate, sum);
  return numbers === undefined ? null : valueOfNumbers(aggregate, numbers);
}

/** @param aggregate the one of durations that has the function's name */
export function valueOfNumbers(
  aggregate: SpanAggregate,
  { weight, total, min, max, values }: NumberSum,
): number | null {
  if (aggregate === "min(span.duration)") return min;
  if (aggregate === "max(span.duration)") return max;
  if (isQuantile(aggregate)) return weightedQuantile(values, shareOf(aggregate));
  return aggregateOf(aggregate, { weight, failedWeight: 0, totalUs: total, durations: [] });
}

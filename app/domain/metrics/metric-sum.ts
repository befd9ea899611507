import { type AggregatedSpans, aggregateOf, isUnsure, readAggregate } from "../spans/span-aggregates.ts";
import { type MetricFigure, unitOfFigure } from "./metric-monitor.ts";

/**
 * The numbers that a figure is computed from. `weight` counts rows by their sampling rate, `failedWeight` those that failed or crashed,
 * and `spans` the rows that were kept.
 */
export type MetricSum = AggregatedSpans & { spans: number };

export const NO_SUM: MetricSum = { spans: 0, weight: 0, failedWeight: 0, totalUs: 0, durations: [] };

/** The sum of rows that are not sampled. */
export function toWholeSum(count: number, failed = 0): MetricSum {
  return { ...NO_SUM, spans: count, weight: count, failedWeight: failed };
}

/** Says why a figure of the sum is not reliable. Null: it is. */
export function sayDoubt(sum: MetricSum): string | null {
  if (!isUnsure(sum)) return null;
  const [kept, all] = [sum.spans, sum.weight].map((count) => Math.round(count).toLocaleString("en"));
  return `Low confidence: ${kept} kept, which stand for about ${all}.`;
}

export function addSums(sums: readonly MetricSum[]): MetricSum {
  const durations = new Map<number, number>();
  let spans = 0;
  let weight = 0;
  let failedWeight = 0;
  let totalUs = 0;
  for (const sum of sums) {
    spans += sum.spans;
    weight += sum.weight;
    failedWeight += sum.failedWeight;
    totalUs += sum.totalUs;
    for (const [bucket, bar] of sum.durations) durations.set(bucket, (durations.get(bucket) ?? 0) + bar);
  }
  return { spans, weight, failedWeight, totalUs, durations: [...durations] };
}

/** The figure of a sum, in its unit. Null: a share or a duration of nothing. */
export function figureOf(figure: MetricFigure, sum: MetricSum): number | null {
  if (figure.startsWith("count")) return sum.weight;
  // Multiply first: then 7 of 1,000 are exactly 0.7, and not a little more than a line at 0.7.
  if (figure.startsWith("crash_rate")) return sum.weight > 0 ? (sum.failedWeight * 100) / sum.weight : null;
  const aggregate = readAggregate(figure);
  const value = aggregate === null ? null : aggregateOf(aggregate, sum);
  if (value === null) return null;
  return unitOfFigure(figure) === "percent" ? value * 100 : value / 1000;
}

export interface FigureOfWindow {
  /** The end of the window. */
  at: number;
  value: number | null;
  /** The number of things that the figure is made of. */
  count: number;
  /** See `sayDoubt`. */
  doubt: string | null;
}

export function toFigureOfWindow(figure: MetricFigure, at: number, sum: MetricSum): FigureOfWindow {
  return { at, value: figureOf(figure, sum), count: sum.weight, doubt: sayDoubt(sum) };
}

/**
 * The figures of windows that end at `from` and at every step after it up to `to`. `sums`: by the start of their steps. A window
 * has a whole number of steps.
 */
export function slideWindows(
  figure: MetricFigure,
  sums: ReadonlyMap<number, MetricSum>,
  { from, to, stepMs, windowMs }: { from: number; to: number; stepMs: number; windowMs: number },
): FigureOfWindow[] {
  const sliding = new SlidingSum();
  for (let at = from - windowMs; at < from; at += stepMs) sliding.add(sums.get(at), 1);
  const windows: FigureOfWindow[] = [];
  for (let at = from; at <= to; at += stepMs) {
    windows.push(toFigureOfWindow(figure, at, sliding.sum()));
    sliding.add(sums.get(at), 1);
    sliding.add(sums.get(at - windowMs), -1);
  }
  return windows;
}

/** Less than a millionth of a span is what rounding has left. */
const NOTHING = 1e-6;

class SlidingSum {
  #spans = 0;
  #weight = 0;
  #failedWeight = 0;
  #totalUs = 0;
  readonly #durations = new Map<number, number>();

  add(sum: MetricSum | undefined, sign: 1 | -1): void {
    if (sum === undefined) return;
    this.#spans += sign * sum.spans;
    this.#weight += sign * sum.weight;
    this.#failedWeight += sign * sum.failedWeight;
    this.#totalUs += sign * sum.totalUs;
    for (const [bucket, bar] of sum.durations) {
      const left = (this.#durations.get(bucket) ?? 0) + sign * bar;
      if (left > NOTHING) this.#durations.set(bucket, left);
      else this.#durations.delete(bucket);
    }
  }

  sum(): MetricSum {
    if (this.#weight <= NOTHING) return NO_SUM;
    return {
      spans: this.#spans,
      weight: this.#weight,
      failedWeight: this.#failedWeight > NOTHING ? this.#failedWeight : 0,
      totalUs: Math.max(0, this.#totalUs),
      durations: [...this.#durations],
    };
  }
}

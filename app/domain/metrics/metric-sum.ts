import { type AggregatedSpans, aggregateOf, readAggregate } from "../spans/span-aggregates.ts";
import { type MetricFigure, unitOfFigure } from "./metric-monitor.ts";

/** What a figure is made of, in the form of spans: `weight` counts, `failedWeight` counts those that failed or crashed. */
export type MetricSum = AggregatedSpans;

export const NO_SUM: MetricSum = { weight: 0, failedWeight: 0, totalUs: 0, durations: [] };

export function addSums(sums: readonly MetricSum[]): MetricSum {
  const durations = new Map<number, number>();
  let weight = 0;
  let failedWeight = 0;
  let totalUs = 0;
  for (const sum of sums) {
    weight += sum.weight;
    failedWeight += sum.failedWeight;
    totalUs += sum.totalUs;
    for (const [bucket, bar] of sum.durations) durations.set(bucket, (durations.get(bucket) ?? 0) + bar);
  }
  return { weight, failedWeight, totalUs, durations: [...durations] };
}

/** The figure of a sum, in its unit. Null: a share or a duration of nothing. */
export function figureOf(figure: MetricFigure, sum: MetricSum): number | null {
  if (figure.startsWith("count")) return sum.weight;
  if (figure.startsWith("crash_rate")) return sum.weight > 0 ? (sum.failedWeight / sum.weight) * 100 : null;
  const aggregate = readAggregate(figure);
  const value = aggregate === null ? null : aggregateOf(aggregate, sum);
  if (value === null) return null;
  return unitOfFigure(figure) === "percent" ? value * 100 : value / 1000;
}

/**
 * The figures of windows that end at `from`, and every step after it up to `to`. `sums` are by the begin of their steps, of which whole ones make up a window.
 */
export function slideWindows(
  figure: MetricFigure,
  sums: ReadonlyMap<number, MetricSum>,
  { from, to, stepMs, windowMs }: { from: number; to: number; stepMs: number; windowMs: number },
): Array<{ at: number; value: number | null }> {
  const sliding = new SlidingSum();
  for (let at = from - windowMs; at < from; at += stepMs) sliding.add(sums.get(at), 1);
  const windows: Array<{ at: number; value: number | null }> = [];
  for (let at = from; at <= to; at += stepMs) {
    windows.push({ at, value: figureOf(figure, sliding.sum()) });
    sliding.add(sums.get(at), 1);
    sliding.add(sums.get(at - windowMs), -1);
  }
  return windows;
}

/** Less than a millionth of a span is what rounding has left. */
const NOTHING = 1e-6;

class SlidingSum {
  #weight = 0;
  #failedWeight = 0;
  #totalUs = 0;
  readonly #durations = new Map<number, number>();

  add(sum: MetricSum | undefined, sign: 1 | -1): void {
    if (sum === undefined) return;
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
      weight: this.#weight,
      failedWeight: this.#failedWeight > NOTHING ? this.#failedWeight : 0,
      totalUs: Math.max(0, this.#totalUs),
      durations: [...this.#durations],
    };
  }
}

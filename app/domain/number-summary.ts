import { type NumberRange, toNumberRanges } from "./number-ranges.ts";
import type { NumberSum } from "./number-sum.ts";
import { readTextNumber } from "./search/text-number.ts";
import { weightedQuantile } from "./spans/duration-histogram.ts";

/** An attribute with more values is summarized by ranges, if most of its frequent values are numbers. */
export const MANY_VALUES = 10;

/** The numbers that an attribute has. */
export interface NumberSummary {
  /** How many rows have a number. A span counts as often as its sampling rate says. */
  count: number;
  min: number;
  median: number;
  p95: number;
  max: number;
  ranges: NumberRange[];
}

/** @param values the most frequent first */
export function areManyNumbers(values: ReadonlyArray<{ value: string }>): boolean {
  const frequent = values.slice(0, MANY_VALUES);
  const numbers = frequent.filter(({ value }) => readTextNumber(value) !== null);
  return values.length > MANY_VALUES && numbers.length > MANY_VALUES / 2;
}

export function summarizeNumbers({ weight, min, max, values }: NumberSum): NumberSummary {
  const at = (share: number) => weightedQuantile(values, share) ?? 0;
  return { count: weight, min, median: at(0.5), p95: at(0.95), max, ranges: toNumberRanges(values) };
}

import { apdexOf } from "../../domain/spans/apdex.ts";
import { quantileOf } from "../../domain/spans/duration-histogram.ts";
import { isUnsure } from "../../domain/spans/span-aggregates.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { TransactionSum } from "../../stores/events/transaction-sums.ts";

export interface TransactionFigures {
  /** The number of stored transactions. */
  spans: number;
  /** The number of transactions that these stand for. The other figures refer to it. */
  weight: number;
  perMinute: number;
  p50Us: number;
  p75Us: number;
  p95Us: number;
  failureRate: number;
  apdex: number;
  /** The threshold of the Apdex, in milliseconds. */
  apdexMs: number;
  totalUs: number;
  /** Whether sampling left too few of them. */
  isUnsure: boolean;
}

export type SummedTransaction = Pick<TransactionSum, "spans" | "weight" | "failedWeight" | "totalUs" | "durations">;

/** Null: there are none. `ms`: the length of the time. `apdexMs`: the threshold of their project. */
export function toFigures(
  sum: SummedTransaction | undefined,
  { ms, apdexMs }: { ms: number; apdexMs: number },
): TransactionFigures | null {
  if (!sum || sum.weight <= 0) return null;
  const { durations, spans, weight, totalUs } = sum;
  return {
    spans,
    weight,
    perMinute: weight / (ms / MINUTE_MS),
    p50Us: quantileOf(durations, 0.5) ?? 0,
    p75Us: quantileOf(durations, 0.75) ?? 0,
    p95Us: quantileOf(durations, 0.95) ?? 0,
    failureRate: sum.failedWeight / weight,
    apdex: apdexOf(durations, apdexMs) ?? 0,
    apdexMs,
    totalUs,
    isUnsure: isUnsure(sum),
  };
}

/** With fewer transactions, a p95 says nothing: a single one would decide it. */
const MIN_COMPARED = 20;
/** Histograms are inexact by 3 %, so a smaller change is none. */
const WORTH_SAYING = 0.07;

/** The change of the p95 against the period before. */
export type Change =
  | { kind: "slower" | "faster"; ratio: number; beforeUs: number }
  | { kind: "same"; beforeUs: number }
  | { kind: "new" | "too-little" };

export function toChange(now: TransactionFigures | null, before: TransactionFigures | null): Change {
  if (before === null) return { kind: "new" };
  if (now === null || now.spans < MIN_COMPARED || before.spans < MIN_COMPARED) return { kind: "too-little" };
  const beforeUs = before.p95Us;
  const ratio = now.p95Us / Math.max(1, beforeUs) - 1;
  if (Math.abs(ratio) < WORTH_SAYING) return { kind: "same", beforeUs };
  return { kind: ratio > 0 ? "slower" : "faster", ratio, beforeUs };
}

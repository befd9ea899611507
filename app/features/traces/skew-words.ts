import type { ClockSkew } from "../../domain/traces/clock-skew.ts";
import { formatDuration } from "../../ui/format-duration.ts";

/** The skew of a clock as a sentence: `The clock of api is 212 ms ahead, ±9 ms, by 5 calls.` */
export function toSkewWords({ service, aheadUs, plusMinusUs, pairs }: ClockSkew): string {
  const by = `${formatDuration(Math.abs(aheadUs))} ${aheadUs > 0 ? "ahead" : "behind"}`;
  return `The clock of ${service} is ${by}, ±${formatDuration(plusMinusUs)}, by ${pairs === 1 ? "one call" : `${pairs} calls`}.`;
}

import { DAY_MS, HOUR_MS } from "../../domain/time.ts";

export const ARRIVED_PERIODS = [
  { value: "1d", label: "24 hours", days: 1, bucketMs: HOUR_MS },
  { value: "7d", label: "7 days", days: 7, bucketMs: 6 * HOUR_MS },
  { value: "14d", label: "14 days", days: 14, bucketMs: 12 * HOUR_MS },
  { value: "30d", label: "30 days", days: 30, bucketMs: DAY_MS },
  { value: "90d", label: "90 days", days: 90, bucketMs: DAY_MS },
] as const;

export type ArrivedPeriod = (typeof ARRIVED_PERIODS)[number]["value"];

/** A range of time that begins and ends at bounds of buckets. Milliseconds since 1970. */
export interface ArrivedRange {
  from: number;
  to: number;
  bucketMs: number;
}

/** The period with this name. For any other name, the first one. */
export function toArrivedPeriod(value: string | null) {
  return ARRIVED_PERIODS.find((period) => period.value === value) ?? ARRIVED_PERIODS[0];
}

/** The range of a period. It ends with the bucket that is running now. */
export function toArrivedRange(value: string | null, now: number): ArrivedRange {
  const { days, bucketMs } = toArrivedPeriod(value);
  const to = Math.floor(now / bucketMs) * bucketMs + bucketMs;
  return { from: to - days * DAY_MS, to, bucketMs };
}

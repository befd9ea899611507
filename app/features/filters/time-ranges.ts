import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";

/** All time ranges. Each list offers those that suit it. */
const TIME_RANGES = {
  "15m": { label: "15 minutes", durationMs: 15 * MINUTE_MS },
  "1h": { label: "1 hour", durationMs: HOUR_MS },
  "6h": { label: "6 hours", durationMs: 6 * HOUR_MS },
  "24h": { label: "24 hours", durationMs: DAY_MS },
  "7d": { label: "7 days", durationMs: 7 * DAY_MS },
  "14d": { label: "14 days", durationMs: 14 * DAY_MS },
  "30d": { label: "30 days", durationMs: 30 * DAY_MS },
  "90d": { label: "90 days", durationMs: 90 * DAY_MS },
} as const;
type RangeName = keyof typeof TIME_RANGES;

/** A range of time that ends now. */
export interface TimeRange<Name extends string = string> {
  value: Name;
  label: string;
  durationMs: number;
}

/** Picks ranges by name, in this order. */
export function pickRanges<const Name extends RangeName>(...names: Name[]): ReadonlyArray<TimeRange<Name>> {
  return names.map((value) => {
    const { label, durationMs } = TIME_RANGES[value];
    return { value, label, durationMs };
  });
}

/** The range with this name in `ranges`. For any other name, the one called `otherwise`. */
export function findRange<Name extends string>(
  ranges: ReadonlyArray<TimeRange<Name>>,
  value: string | null,
  otherwise: Name,
): TimeRange<Name> {
  const found = ranges.find((range) => range.value === value) ?? ranges.find((range) => range.value === otherwise);
  if (!found) throw new Error(`no range “${otherwise}”`);
  return found;
}

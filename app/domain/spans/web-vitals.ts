/** Measures of how a page feels, with the bounds of web.dev (read in 2026-11): up to `good`, and beyond `poor`. CLS has no unit, the others are milliseconds. */
export const WEB_VITALS = {
  lcp: { label: "LCP", name: "Largest Contentful Paint", good: 2_500, poor: 4_000 },
  inp: { label: "INP", name: "Interaction to Next Paint", good: 200, poor: 500 },
  cls: { label: "CLS", name: "Cumulative Layout Shift", good: 0.1, poor: 0.25 },
  fcp: { label: "FCP", name: "First Contentful Paint", good: 1_800, poor: 3_000 },
  ttfb: { label: "TTFB", name: "Time to First Byte", good: 800, poor: 1_800 },
} as const;
export type WebVital = keyof typeof WEB_VITALS;
export const WEB_VITAL_NAMES = Object.keys(WEB_VITALS) as WebVital[];

/** The factor by which a value is multiplied in a histogram of durations. */
export function scaleOf(vital: WebVital): number {
  return vital === "cls" ? 1_000_000 : 1_000;
}

export type VitalRating = "good" | "needs-improvement" | "poor";

/** The rating of the 75th percentile, by the shares of good and of poor values. They are exact, and a percentile of a histogram is not. */
export function rateVital({ good, poor }: { good: number; poor: number }): VitalRating {
  if (good >= 0.75) return "good";
  return poor > 0.25 ? "poor" : "needs-improvement";
}

/** A 75th percentile of a histogram, moved into the bounds of its rating. */
export function boundVital(vital: WebVital, rating: VitalRating, p75: number): number {
  const { good, poor } = WEB_VITALS[vital];
  if (rating === "good") return Math.min(p75, good);
  return rating === "poor" ? Math.max(p75, poor) : Math.min(Math.max(p75, good), poor);
}

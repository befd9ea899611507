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

export function rateVital(vital: WebVital, value: number): VitalRating {
  const { good, poor } = WEB_VITALS[vital];
  if (value <= good) return "good";
  return value > poor ? "poor" : "needs-improvement";
}

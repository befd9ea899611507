import { formatCount } from "../../ui/count.tsx";

/** A number of stored spans, and the number that they stand for. */
export interface WeighedSpans {
  spans: number;
  weight: number;
}

/** Whether the spans were sampled, so that they stand for more than themselves. */
export function isSampled({ spans, weight }: WeighedSpans): boolean {
  return weight > spans * 1.001;
}

/** The number in words: `950`, or for sampled spans `about 9,500, counted from 950 that were kept`. */
export function sayWeight(counted: WeighedSpans & { isUnsure: boolean }): string {
  const { spans, weight, isUnsure } = counted;
  if (!isSampled(counted)) return formatCount(spans);
  const confidence = isUnsure ? ": low confidence" : "";
  return `about ${formatCount(Math.round(weight))}, counted from ${formatCount(spans)} that were kept${confidence}`;
}

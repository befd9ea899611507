import type { WebVital } from "../../domain/spans/web-vitals.ts";
import { formatCount } from "../../ui/count.tsx";
import { formatDuration } from "../../ui/format-duration.ts";

/** A rate in words: `1,240/min`, `12.4/min`. If there is less than one a minute, it is per hour or per day. */
export function formatThroughput(perMinute: number): string {
  if (perMinute >= 100) return `${formatCount(Math.round(perMinute))}/min`;
  const short = (number: number) => Number(number.toPrecision(number >= 10 ? 3 : 2));
  if (perMinute >= 1) return `${short(perMinute)}/min`;
  const perHour = perMinute * 60;
  return perHour >= 1 ? `${short(perHour)}/h` : `${short(perHour * 24)}/d`;
}

/** A share in words: `0 %`, `0.04 %`, `2.4 %`. A share above nothing never looks like nothing. */
export function formatRate(rate: number): string {
  if (rate > 0 && rate < 0.0001) return "< 0.01 %";
  return `${Number((rate * 100).toFixed(rate < 0.01 ? 2 : 1))} %`;
}

export function formatApdex(apdex: number): string {
  return apdex.toFixed(2);
}

/** A web vital in words. Milliseconds become a duration; CLS has no unit. */
export function formatVital(vital: WebVital, value: number): string {
  return vital === "cls" ? value.toFixed(2) : formatDuration(value * 1000);
}

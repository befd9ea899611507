import { DATA_CATEGORIES, type DataCategory } from "../domain/data-category.ts";

/** The categories that an SDK must hold back, and for how long. */
export interface RateLimit {
  seconds: number;
  /** Empty: everything, client reports included. */
  categories: readonly DataCategory[];
  scope: "organization" | "project" | "key";
  /** Free token; SDKs ignore it, people read it. */
  reasonCode: string;
}

/** SDKs wait this long when they are told nothing else (protocol 2.8), so it is what we tell them when we know no better. */
export const DEFAULT_RETRY_AFTER_SECONDS = 60;

/**
 * The categories that a client key's rate limit covers. Client reports are not among them: they must pass, or the losses would stay
 * unknown.
 */
export const LIMITABLE_CATEGORIES: readonly DataCategory[] = DATA_CATEGORIES.filter(
  (category) => category !== "internal" && category !== "unknown" && category !== "finding" && category !== "uptime",
);

const PROFILE_NAMES = ["profile", "profile_chunk", "profile_chunk_ui"];
const METRIC_NAMES = ["trace_metric", "metric"];

/** Names that SDKs use for a category: they do not agree on profiles and metrics, so all names are sent. */
function wireNames(category: DataCategory): readonly string[] {
  if (category === "profile" || category === "profile_chunk") return PROFILE_NAMES;
  if (category === "trace_metric") return METRIC_NAMES;
  return [category];
}

/** The middle of a header, `error;transaction`, which changes only with the categories: worth keeping. */
function formatRateLimitCategories(categories: readonly DataCategory[]): string {
  return [...new Set(categories.flatMap(wireNames))].join(";");
}

/** The value of `X-Sentry-Rate-Limits`. */
export function formatRateLimits(limits: readonly RateLimit[]): string {
  return limits
    .map((limit) => {
      const seconds = Math.max(1, Math.ceil(limit.seconds));
      return `${seconds}:${formatRateLimitCategories(limit.categories)}:${limit.scope}:${limit.reasonCode}`;
    })
    .join(", ");
}

/** The value of `Retry-After` that goes with them: the longest, in whole seconds. */
export function retryAfterSeconds(limits: readonly RateLimit[]): number {
  return limits.reduce((longest, limit) => Math.max(longest, Math.ceil(limit.seconds)), 1);
}

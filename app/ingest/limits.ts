import type { ProjectKey } from "../domain/project.ts";
import { LIMITABLE_CATEGORIES, type RateLimit } from "../protocol/rate-limits.ts";
import type { TakeQuota } from "./admit-items.ts";
import type { KeyRateLimiter } from "./key-rate-limiter.ts";
import type { QuotaLimiter } from "./quota-limiter.ts";

/** The limit of a key, the quotas of its project and those of the server. Items that one of them refuses are counted by none of them. */
export function createLimits(
  keys: Pick<KeyRateLimiter, "take">,
  quotas: Pick<QuotaLimiter, "find" | "count">,
): (key: ProjectKey, nowMs: number) => TakeQuota {
  return (key, nowMs) => (category, amount) => {
    const reached = quotas.find(key.projectId, category, nowMs);
    if (reached !== null) {
      const { owner, seconds, categories, reason: reasonCode } = reached;
      return { seconds, categories, scope: owner === "project" ? "project" : "organization", reasonCode };
    }
    const seconds = keys.take(key, amount.items, nowMs);
    if (seconds > 0) return toKeyLimit(seconds);
    quotas.count(key.projectId, category, amount, nowMs);
    return null;
  };
}

function toKeyLimit(seconds: number): RateLimit {
  return { seconds, categories: LIMITABLE_CATEGORIES, scope: "key", reasonCode: "key_quota" };
}

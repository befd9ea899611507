import type { DataCategory } from "../data-category.ts";
import { DAY_MS, MINUTE_MS } from "../time.ts";

/** Kinds of data that a quota can be about, each with the categories of the ledger that count for it. */
export const QUOTA_KINDS = {
  errors: ["error", "default", "security"],
  transactions: ["transaction"],
  spans: ["span"],
  logs: ["log_item"],
  metrics: ["trace_metric", "metric_bucket"],
  replays: ["replay"],
  profiles: ["profile", "profile_chunk"],
  attachments: ["attachment"],
  sessions: ["session"],
  checkIns: ["monitor"],
  feedback: ["feedback"],
} as const satisfies Record<string, readonly DataCategory[]>;

export type QuotaKind = keyof typeof QUOTA_KINDS;

export const QUOTA_PERIODS = ["minute", "day", "month"] as const;
export type QuotaPeriod = (typeof QUOTA_PERIODS)[number];

/** At most `limit` of a kind in each period: items, or bytes for attachments. Zero: nothing of the kind is accepted. */
export interface Quota {
  kind: QuotaKind;
  period: QuotaPeriod;
  limit: number;
}

/** The used part of a quota in one window. */
export interface QuotaUse {
  quota: Quota;
  used: number;
  /** The window that is counted now. Milliseconds since 1970. */
  startedAt: number;
  endsAt: number;
}

export const MAX_QUOTA_LIMIT = 1_000_000_000_000_000;

/** True: amounts of the kind are bytes. */
export function isQuotaInBytes(kind: QuotaKind): boolean {
  return kind === "attachments";
}

export function isQuotaKind(word: string): word is QuotaKind {
  return Object.hasOwn(QUOTA_KINDS, word);
}

export function isQuotaPeriod(word: string): word is QuotaPeriod {
  return (QUOTA_PERIODS as readonly string[]).includes(word);
}

/**
 * The window that an instant is in: a minute, day or month of the calendar, in UTC. A window that is the same for everybody can be found again
 * after a restart.
 */
export function findQuotaWindow(period: QuotaPeriod, at: number): { startedAt: number; endsAt: number } {
  if (period === "month") {
    const date = new Date(at);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    return { startedAt: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) };
  }
  const lengthMs = period === "minute" ? MINUTE_MS : DAY_MS;
  const startedAt = Math.floor(at / lengthMs) * lengthMs;
  return { startedAt, endsAt: startedAt + lengthMs };
}

/** The owner of the quota that refused an item, in the ledger's words. */
export type QuotaOwner = "project" | "server";

/** The reason in the ledger and in `X-Sentry-Rate-Limits`. */
export function toQuotaReason(owner: QuotaOwner, period: QuotaPeriod): string {
  return `${owner}_quota_${period}`;
}

/** The quotas with this one added. It replaces a quota of the same kind and period. */
export function withQuota(quotas: readonly Quota[], quota: Quota): Quota[] {
  return sortQuotas([...withoutQuota(quotas, quota), quota]);
}

export function withoutQuota(quotas: readonly Quota[], { kind, period }: Pick<Quota, "kind" | "period">): Quota[] {
  return quotas.filter((each) => each.kind !== kind || each.period !== period);
}

/** Sorted by kind, then by period, the shortest first. */
export function sortQuotas(quotas: readonly Quota[]): Quota[] {
  const kinds = Object.keys(QUOTA_KINDS);
  return quotas.toSorted(
    (a, b) =>
      kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
      QUOTA_PERIODS.indexOf(a.period) - QUOTA_PERIODS.indexOf(b.period),
  );
}

import { MB } from "../../domain/bytes.ts";
import {
  isQuotaInBytes,
  QUOTA_KINDS,
  type Quota,
  type QuotaKind,
  type QuotaPeriod,
} from "../../domain/quotas/quota.ts";
import { formatBytes } from "../../ui/format-bytes.ts";

const KIND_WORDS: Record<QuotaKind, string> = {
  errors: "Errors",
  transactions: "Transactions",
  spans: "Spans",
  logs: "Logs",
  metrics: "Metrics",
  replays: "Replay items",
  profiles: "Profiles",
  attachments: "Attachments",
  sessions: "Sessions",
  checkIns: "Check-ins",
  feedback: "Feedback",
};

export const QUOTA_KIND_OPTIONS = (Object.keys(QUOTA_KINDS) as QuotaKind[]).map((kind) => ({
  kind,
  label: isQuotaInBytes(kind) ? `${KIND_WORDS[kind]} (MB)` : KIND_WORDS[kind],
}));

export function toKindWords(kind: QuotaKind): string {
  return KIND_WORDS[kind];
}

/** An amount with its unit: `10,000`, `512 MB`. */
export function formatQuotaAmount(kind: QuotaKind, amount: number): string {
  return isQuotaInBytes(kind) ? formatBytes(amount) : amount.toLocaleString("en");
}

/** A quota in words: `10,000 a day`. */
export function formatQuota({ kind, limit, period }: Quota): string {
  return `${formatQuotaAmount(kind, limit)} a ${period}`;
}

/** The limit as people type it: a whole number, in MB if it is about bytes. */
export function toTypedLimit({ kind, limit }: Quota): number {
  return isQuotaInBytes(kind) ? Math.round(limit / MB) : limit;
}

const SINCE: Record<QuotaPeriod, string> = { minute: "today", day: "today", month: "this month" };

/** Since when refused items are summed, in words. The ledger counts by the hour. */
export function toRefusedSince(period: QuotaPeriod): string {
  return SINCE[period];
}

/**
 * Categories of items, in the words of the Sentry protocol (reports, rate limits and statistics all use them). `finding` and
 * `uptime` are for data that Culprit itself writes (domain/findings, domain/uptime), never for items that were sent. `internal` is
 * for client reports, `unknown` for item types that this version does not know.
 */
export const DATA_CATEGORIES = [
  "default",
  "error",
  "finding",
  "transaction",
  "security",
  "attachment",
  "session",
  "profile",
  "profile_chunk",
  "replay",
  "monitor",
  "span",
  "feedback",
  "metric_bucket",
  "log_item",
  "trace_metric",
  "uptime",
  "internal",
  "unknown",
] as const;

export type DataCategory = (typeof DATA_CATEGORIES)[number];

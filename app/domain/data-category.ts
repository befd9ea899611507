/**
 * What an item counts as, in the words of the Sentry protocol (reports, rate limits and statistics all use them).
 * `finding` and `uptime` hold what Culprit itself writes (domain/findings, domain/uptime): nothing that was sent counts as one. `internal` holds client reports, `unknown` item types this version does not know.
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

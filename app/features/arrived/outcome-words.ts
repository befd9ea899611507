import type { Outcome } from "../../domain/outcome.ts";
import { findFilterWords } from "../filters/filter-words.ts";

/** The name and the meaning of each outcome. */
export const OUTCOME_WORDS: Record<Outcome, { label: string; meaning: string }> = {
  accepted: { label: "Stored", meaning: "On disk and on the pages. Metrics and replays have no pages yet." },
  deleted: { label: "Deleted", meaning: "It was stored, until somebody deleted it." },
  damaged: {
    label: "Damaged",
    meaning: "It was stored, and its details cannot be read any more. Its row and the counts of its issue are there.",
  },
  duplicate: { label: "Duplicate", meaning: "An item with the same id came before. The first one is stored." },
  filtered: { label: "Filtered", meaning: "A filter or a limit of the project took it. An example is kept for a day." },
  rate_limited: {
    label: "Rate limited",
    meaning: "Over the limit of its DSN key, or over a quota. The SDK was told when to try again.",
  },
  too_large: { label: "Too large", meaning: "Over a size limit. The rest of its envelope was accepted." },
  malformed: { label: "Malformed", meaning: "Its content did not match its type." },
  unsupported: {
    label: "Not supported",
    meaning:
      "This version does not know its type, and keeps it raw for seven days. Nothing is kept of an endpoint that it does not have.",
  },
  client_discard: {
    label: "Dropped by the SDK",
    meaning:
      "Lost before it reached Culprit, as the SDK says in its client reports. Items that Culprit refused are not counted here again.",
  },
};

const REASON_WORDS: Record<string, string> = {
  key_quota: "Over the limit of its DSN key",
  project_quota_minute: "Over the project's quota a minute",
  project_quota_day: "Over the project's quota a day",
  project_quota_month: "Over the project's quota a month",
  server_quota_minute: "Over the server's quota a minute",
  server_quota_day: "Over the server's quota a day",
  server_quota_month: "Over the server's quota a month",
  ratelimit_backoff: "Waited for a rate limit",
  network_error: "The network failed",
  send_error: "The server answered with an error",
  sample_rate: "Not sampled",
  before_send: "Dropped by beforeSend",
  event_processor: "Dropped by an event processor",
  queue_overflow: "The SDK's queue was full",
  cache_overflow: "The SDK's offline cache was full",
  buffer_overflow: "The SDK's buffer was full",
  insufficient_data: "Not enough data",
  backpressure: "The application was under load",
  internal_sdk_error: "The SDK failed",
  ignored: "Ignored by configuration",
  invalid: "Not valid for the SDK",
  no_parent_span: "A span without a parent",
};

/** A reason in words. A reason without words of its own is shown as it is, with blanks in place of underscores. */
export function toReasonWords(reason: string): string {
  if (reason === "") return "—";
  const filter = findFilterWords(reason);
  if (filter !== null) return filter;
  return Object.hasOwn(REASON_WORDS, reason) ? (REASON_WORDS[reason] as string) : reason.replaceAll("_", " ");
}

const CATEGORY_WORDS: Record<string, string> = {
  default: "Messages",
  error: "Errors",
  finding: "Culprit's own findings",
  transaction: "Transactions",
  security: "Security reports",
  attachment: "Attachments",
  attachment_byte: "Attachment bytes",
  session: "Sessions",
  profile: "Profiles",
  profile_chunk: "Profile chunks",
  replay: "Replays",
  monitor: "Check-ins",
  span: "Spans",
  feedback: "Feedback",
  metric_bucket: "Metric buckets",
  log_item: "Logs",
  log_byte: "Log bytes",
  trace_metric: "Metrics",
  trace_metric_byte: "Metric bytes",
  uptime: "Culprit's own checks",
  internal: "Client reports",
  unknown: "Unknown kinds",
};

export function toCategoryWords(category: string): string {
  return Object.hasOwn(CATEGORY_WORDS, category) ? (CATEGORY_WORDS[category] as string) : category.replaceAll("_", " ");
}

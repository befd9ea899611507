import type { DataCategory } from "../domain/data-category.ts";

/**
 * Whether an SDK that sent an envelope and got this answer may report its items as lost in a client report. The protocol allows it for
 * every error except 429 (protocol 2.10), and Java, .NET, Dart and Python do so. The JavaScript SDKs do so only for 413. Read in
 * `@sentry/core` 10.75, `sentry-sdk` 2.75 (Python) and in published builds of the others, 2026-11.
 *
 * @param client `sentry_client` of the request, like `sentry.python/2.75.0`; null when it names none.
 */
export function isLossReported(status: number, client: string | null): boolean {
  if (status < 400 || status === 429) return false;
  return status === 413 || client === null || !isJavaScript(client);
}

/** React Native is not included: its envelopes are sent by the Java and Cocoa SDKs. */
function isJavaScript(client: string): boolean {
  return client.startsWith("sentry.javascript.") && !client.startsWith("sentry.javascript.react-native");
}

/**
 * Whether an SDK takes back the counts of the client report in a refused envelope, and sends them with the next one. Java and .NET do. The
 * others count the report as lost, or forget it.
 */
export function keepsRefusedReports(client: string | null): boolean {
  return client !== null && /^sentry\.(?:java|dotnet)(?:[./]|$)/.test(client);
}

/**
 * The reasons for a failed request. JavaScript uses `send_error` and Python `network_error` for an error answer; both use them also if no
 * answer came.
 */
const REASONS: ReadonlySet<string> = new Set(["send_error", "network_error"]);

/** SDKs that use another word than ours for a category: `@sentry/core` 10.75, Relay's own for profile chunks and feedback. */
const OUR_WORDS: ReadonlyMap<string, readonly DataCategory[]> = new Map([
  ["metric", ["trace_metric"]],
  ["statsd", ["metric_bucket"]],
  ["profile", ["profile", "profile_chunk"]],
  ["profile_chunk_ui", ["profile_chunk"]],
  ["user_report_v2", ["feedback"]],
]);

/** The category of a loss, for the ledger. Python's SDK says how many bytes of attachments it lost, and not how many attachments. */
export function toLostCategory(category: string, client: string | null): string {
  return category === "attachment" && client?.startsWith("sentry.python") ? "attachment_byte" : category;
}

/** The categories of refused items that were not read: `default` for a whole request, `unknown` for an item of an unknown type. */
const UNREAD: readonly DataCategory[] = ["default", "unknown"];

/**
 * The categories under which the server may have refused the items that a client report says were lost on the way, the likeliest first.
 * Null: no answer of a server leads to this reason.
 */
export function refusedCategoriesOf({ category, reason }: { category: string; reason: string }): string[] | null {
  if (!REASONS.has(reason)) return null;
  return [...new Set([...(OUR_WORDS.get(category) ?? [category]), ...UNREAD])];
}

import { normalizeEventId } from "../protocol/event-id.ts";
import { glanceAtJson } from "../protocol/parse-json.ts";
import { findSignal } from "../signals/registry.ts";
import { wrapInEnvelope } from "./reframe-envelope.ts";
import { Refusal } from "./refusal.ts";

/** The largest report that a user may write about an event, in bytes. */
export const MAX_REPORT_BYTES = findSignal({ type: "user_report" }).limits.maxItemBytes;

/** Takes `{event_id, name, email, comments}` as JSON, and puts it into an envelope of its own. */
export function readReportBody(body: Uint8Array): Uint8Array | Refusal {
  if (body.length === 0) return new Refusal("empty_body", "empty request body");
  const report = glanceAtJson(body, 1);
  if (typeof report !== "object" || report === null || Array.isArray(report))
    return new Refusal("malformed_json", "invalid JSON data: a JSON object is expected");
  const eventId = "event_id" in report ? normalizeEventId(report.event_id) : null;
  if (eventId === null) return new Refusal("malformed_json", "event_id: must be the id of the event that it is about");
  return wrapInEnvelope(eventId, { type: "user_report" }, body);
}

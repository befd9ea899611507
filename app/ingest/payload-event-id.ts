import { normalizeEventId } from "../protocol/event-id.ts";
import type { EnvelopeItem } from "../protocol/parse-envelope.ts";
import { glanceAtJson } from "../protocol/parse-json.ts";

/** Item types whose payload is JSON that names the event, in the order in which they are asked. */
const TYPES_WITH_ID = new Set(["event", "transaction", "feedback", "replay_event", "user_report"]);

/**
 * The `event_id` inside a payload, for envelopes whose header has none: the id in the answer must be the one under which
 * the event is stored. Only these rare envelopes have their JSON parsed here; size limits were checked before.
 */
export function readPayloadEventId(items: readonly EnvelopeItem[]): string | null {
  for (const item of items) {
    if (!TYPES_WITH_ID.has(item.header.type)) continue;
    const id = eventIdOfJson(item.payload);
    if (id !== null) return id;
  }
  return null;
}

function eventIdOfJson(payload: Uint8Array): string | null {
  const json = glanceAtJson(payload, 1);
  // Broken JSON is for the digest to look into; it gets a fresh id.
  if (typeof json !== "object" || json === null || !("event_id" in json)) return null;
  return normalizeEventId(json.event_id);
}

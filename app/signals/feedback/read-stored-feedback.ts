import type { SentFeedback } from "../../domain/feedback/feedback.ts";
import { normalizeEventId } from "../../protocol/event-id.ts";
import { decodeStoredItem } from "../../protocol/stored-item.ts";
import { scrubJson } from "../../scrub/scrub-json.ts";
import type { ItemRow } from "../../stores/events/items.ts";
import { toArrived } from "../convert-stored-item.ts";
import type { Json } from "../item-summary.ts";
import { parseItemObject } from "../stored-item.ts";
import { readFeedback, readReport } from "./read-feedback.ts";

/** Reads the feedback in the payload of a stored item, as if it arrived now. Null: it has no text, or cannot be read. */
export function readStoredFeedback(bytes: Uint8Array, row: ItemRow): SentFeedback | null {
  try {
    const arrived = toArrived(decodeStoredItem(bytes), row);
    const parsed = parseItemObject(arrived);
    if (!parsed.ok) return null;
    const value = scrubJson(parsed.value).value as Json;
    const entry = { ...arrived.entry, eventId: row.eventId };
    // An item with the id of its event has another identity (`FEEDBACK.identify`).
    const ownId = normalizeEventId(value.event_id) ?? row.eventId;
    const isBesideEvent = row.identity !== null && row.identity !== ownId;
    const item = { ...arrived, entry, isBesideEvent };
    return row.type === "feedback" ? readFeedback(value, item) : readReport(value, item);
  } catch {
    // An item on which this code fails stays stored as it was.
    return null;
  }
}

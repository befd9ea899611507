import { MIB } from "../domain/bytes.ts";
import { decodeStoredItem, encodeStoredItem, type StoredItem } from "../protocol/stored-item.ts";
import { scrubJson } from "../scrub/scrub-json.ts";
import type { NewRow } from "../stores/events/rows.ts";
import type { Json } from "./item-summary.ts";
import { findSignal } from "./registry.ts";
import type { ArrivedItem } from "./signal.ts";
import { parseItemObject } from "./stored-item.ts";

/** Types of items that earlier versions stored whole. This version makes rows of them. */
export const CONVERTED_TYPES: readonly string[] = ["transaction", "span", "log"];

/** Ingest accepts 12 MiB. Larger payloads were stored without being read. */
const MAX_PAYLOAD_BYTES = 16 * MIB;
const NOTHING = new Uint8Array(0);
const encoder = new TextEncoder();

/** The facts in a stored item's row about how it arrived. */
export type StoredPlace = Pick<ArrivedItem, "sequence" | "itemIndex"> & { projectId: number; receivedAt: number };

/** The result for an item that was stored whole. */
export interface ConvertedPayload {
  rows: readonly NewRow[];
  /** The payload to store from now on. Empty: none. */
  payload: Uint8Array;
  /** How many units of its category the payload counts. */
  quantity: number;
}

/**
 * Makes rows of the payload of an item that an earlier version stored whole. The result depends on the arguments alone, so that a second
 * reading gives the same. Null: the item stays as it is, because no part of it fits into a row.
 */
export function convertStoredItem(bytes: Uint8Array, place: StoredPlace): ConvertedPayload | null {
  if (bytes.length === 0 || bytes.length > MAX_PAYLOAD_BYTES) return null;
  try {
    const stored = decodeStoredItem(bytes);
    const item = toArrived(stored, place);
    const parsed = parseItemObject(item);
    if (!parsed.ok) return null;
    const converted = item.signal.convert?.(scrubJson(parsed.value).value as Json, item) ?? null;
    if (converted === null) return null;
    const { rows, rest, restQuantity } = converted;
    return { rows, payload: rest === null ? NOTHING : encodeRest(stored, rest), quantity: restQuantity };
  } catch {
    // An item on which this code fails stays stored as it was.
    return null;
  }
}

/** A stored item as it was when it arrived, as far as that is known. */
export function toArrived({ envelopeHeader, header, request, payload }: StoredItem, place: StoredPlace): ArrivedItem {
  const { sequence, itemIndex, projectId, receivedAt } = place;
  return {
    signal: findSignal(header),
    sequence,
    itemIndex,
    entry: {
      kind: "envelope",
      projectId,
      keyId: 0,
      receivedAt,
      eventId: null,
      ...request,
      client: null,
      dropped: [],
      body: NOTHING,
    },
    envelopeHeader,
    header,
    payload,
    isBesideEvent: false,
  };
}

function encodeRest({ envelopeHeader, header, request }: StoredItem, rest: Json): Uint8Array {
  const { items } = rest;
  const isCounted = header.item_count !== undefined && Array.isArray(items);
  return encodeStoredItem({
    envelopeHeader,
    header: isCounted ? { ...header, item_count: items.length } : header,
    request,
    payload: encoder.encode(JSON.stringify(rest)),
  });
}

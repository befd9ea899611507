import { MIB } from "../domain/bytes.ts";
import { decodeStoredItem, encodeStoredItem, type StoredItem } from "../protocol/stored-item.ts";
import { scrubJson } from "../scrub/scrub-json.ts";
import type { NewRow } from "../stores/events/rows.ts";
import type { Json } from "./item-summary.ts";
import { findSignal } from "./registry.ts";
import type { ArrivedItem } from "./signal.ts";
import { parseItemObject } from "./stored-item.ts";

/** Types of items that earlier versions stored whole. This version makes rows of them. */
export const TURNED_TYPES: readonly string[] = ["transaction", "span", "log"];

/** Ingest takes 12 MiB; what is larger was stored unread. */
const MAX_PAYLOAD_BYTES = 16 * MIB;
const NOTHING = new Uint8Array(0);
const encoder = new TextEncoder();

/** What the row of a stored item says of how it came. */
export type StoredPlace = Pick<ArrivedItem, "sequence" | "itemIndex"> & { projectId: number; receivedAt: number };

/** What becomes of an item that was stored whole. */
export interface TurnedPayload {
  rows: readonly NewRow[];
  /** What is stored of it from now on; empty: nothing. */
  payload: Uint8Array;
  /** How many of its category the payload is. */
  quantity: number;
}

/**
 * Makes rows of the payload of an item that an earlier version has stored whole. A function of what it gets: a second reading gives the
 * same. Null: it stays as it is, because nothing of it can be a row.
 */
export function turnStoredItem(bytes: Uint8Array, place: StoredPlace): TurnedPayload | null {
  if (bytes.length === 0 || bytes.length > MAX_PAYLOAD_BYTES) return null;
  try {
    const stored = decodeStoredItem(bytes);
    const item = toArrived(stored, place);
    const parsed = parseItemObject(item);
    if (!parsed.ok) return null;
    const turned = item.signal.turn?.(scrubJson(parsed.value).value as Json, item) ?? null;
    if (turned === null) return null;
    const { rows, rest, restQuantity } = turned;
    return { rows, payload: rest === null ? NOTHING : encodeRest(stored, rest), quantity: restQuantity };
  } catch {
    // What this code fails on is still there, as it was.
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

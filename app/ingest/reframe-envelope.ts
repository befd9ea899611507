import type { EnvelopeItem, ParsedEnvelope } from "../protocol/parse-envelope.ts";

const NEWLINE = Buffer.from("\n");

/**
 * The bytes of an envelope with only these of its items. Lines are copied as they came, so that fields only newer SDKs know are kept. Only
 * a wrong `length` is corrected: the parser found the item's real end.
 */
export function reframeEnvelope(
  bytes: Uint8Array,
  envelope: ParsedEnvelope,
  kept: readonly EnvelopeItem[],
): Uint8Array {
  const parts: Uint8Array[] = [bytes.subarray(envelope.headerStart, envelope.headerEnd), NEWLINE];
  for (const item of kept) {
    if (item.isLengthWrong) {
      parts.push(...withLength(bytes, item), NEWLINE, item.payload, NEWLINE);
    } else {
      parts.push(bytes.subarray(item.start, item.end), NEWLINE);
    }
  }
  return Buffer.concat(parts);
}

const CLOSING_BRACE = 0x7d;

/** The item's header as it came, with the true length behind the wrong one: of two keys, the last counts. */
function withLength(bytes: Uint8Array, { start, payload }: EnvelopeItem): Uint8Array[] {
  const payloadStart = payload.byteOffset - bytes.byteOffset;
  const brace = bytes.lastIndexOf(CLOSING_BRACE, payloadStart - 1);
  return [bytes.subarray(start, brace), Buffer.from(`,"length":${payload.length}}`)];
}

/** An envelope around one payload, for requests that carry no envelope themselves. */
export function wrapInEnvelope(eventId: string, itemHeader: WrappedHeader, payload: Uint8Array): Uint8Array {
  return wrap({ event_id: eventId }, itemHeader, payload);
}

/** Makes an envelope for a payload without an event id. */
export function wrapItem(itemHeader: WrappedHeader, payload: Uint8Array): Uint8Array {
  return wrap({}, itemHeader, payload);
}

/** Makes an envelope of several items, for requests that bring their parts in another form. */
export function wrapItems(
  eventId: string,
  items: ReadonlyArray<{ header: WrappedHeader; payload: Uint8Array }>,
): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from(`${JSON.stringify({ event_id: eventId })}\n`)];
  for (const { header, payload } of items)
    parts.push(Buffer.from(`${JSON.stringify({ ...header, length: payload.length })}\n`), payload, NEWLINE);
  return Buffer.concat(parts);
}

export type WrappedHeader = Record<string, unknown> & { type: string };

function wrap(header: Record<string, unknown>, itemHeader: WrappedHeader, payload: Uint8Array): Uint8Array {
  const head = `${JSON.stringify(header)}\n${JSON.stringify({ ...itemHeader, length: payload.length })}\n`;
  return Buffer.concat([Buffer.from(head), payload, NEWLINE]);
}

import { cleanHeader } from "../protocol/clean-header.ts";
import type { EnvelopeItem, ParsedEnvelope } from "../protocol/parse-envelope.ts";

const NEWLINE = Buffer.from("\n");

/**
 * The bytes of an envelope with only these of its items. Lines are copied as they came, so that nothing a newer SDK says
 * in them is lost; only a length that was wrong is put right, because it was understood by what followed it.
 */
export function reframeEnvelope(
  bytes: Uint8Array,
  envelope: ParsedEnvelope,
  kept: readonly EnvelopeItem[],
): Uint8Array {
  const parts: Uint8Array[] = [bytes.subarray(envelope.headerStart, envelope.headerEnd), NEWLINE];
  for (const item of kept) {
    if (item.isLengthWrong) {
      // As clean as the digest makes it: one that nests without end could not be written.
      const header = JSON.stringify({ ...cleanHeader(item.header), length: item.payload.length });
      parts.push(Buffer.from(header), NEWLINE, item.payload, NEWLINE);
    } else {
      parts.push(bytes.subarray(item.start, item.end), NEWLINE);
    }
  }
  return Buffer.concat(parts);
}

/** An envelope around one payload, for requests that carry no envelope themselves. */
export function wrapInEnvelope(
  eventId: string,
  itemHeader: Record<string, unknown> & { type: string },
  payload: Uint8Array,
): Uint8Array {
  const head = `${JSON.stringify({ event_id: eventId })}\n${JSON.stringify({ ...itemHeader, length: payload.length })}\n`;
  return Buffer.concat([Buffer.from(head), payload, NEWLINE]);
}

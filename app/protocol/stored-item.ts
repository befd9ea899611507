import { type ItemHeader, parseEnvelope } from "./parse-envelope.ts";

/** Facts from the request, for pages that fill in missing parts of the item (address, browser). */
export interface RequestFacts {
  /** IPv4 addresses in their own form also where the socket speaks IPv6; null when the socket is gone. */
  clientAddress: string | null;
  userAgent: string | null;
  clientHints?: Record<string, string>;
}

/** An item in the payload store, with the parts of its envelope that are needed to understand it later. */
export interface StoredItem {
  /** The envelope's header as it came: `sdk`, `trace`, `sent_at`, … */
  envelopeHeader: Record<string, unknown>;
  header: ItemHeader;
  request: RequestFacts;
  /** The payload as it came, or scrubbed. */
  payload: Uint8Array;
}

const encoder = new TextEncoder();

/** The payload is kept as an envelope of one item, whose header carries the facts of the request under `culprit`. */
export function encodeStoredItem({ envelopeHeader, header, request, payload }: StoredItem): Uint8Array {
  const head = encoder.encode(
    `${JSON.stringify({ ...envelopeHeader, culprit: request })}\n${JSON.stringify({ ...header, length: payload.length })}\n`,
  );
  const bytes = new Uint8Array(head.length + payload.length);
  bytes.set(head, 0);
  bytes.set(payload, head.length);
  return bytes;
}

/** @throws {MalformedEnvelopeError} when the bytes are not a stored item. */
export function decodeStoredItem(bytes: Uint8Array): StoredItem {
  const { header, items } = parseEnvelope(bytes, {
    maxHeaderBytes: 1 << 20,
    maxItemHeaderBytes: 1 << 20,
    maxItemHeadersBytes: Number.POSITIVE_INFINITY,
    maxItems: 1,
    maxBlankBytes: Number.POSITIVE_INFINITY,
  });
  const { culprit, ...envelopeHeader } = header;
  const item = items[0];
  if (!item) throw new Error("a stored item has no item");
  const facts = (typeof culprit === "object" && culprit !== null ? culprit : {}) as Partial<RequestFacts>;
  return {
    envelopeHeader,
    header: item.header,
    request: {
      clientAddress: facts.clientAddress ?? null,
      userAgent: facts.userAgent ?? null,
      ...(facts.clientHints ? { clientHints: facts.clientHints } : {}),
    },
    payload: item.payload,
  };
}

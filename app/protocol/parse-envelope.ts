import { isRecord } from "../domain/is-record.ts";
/** Framing is all that is read here: payloads stay bytes. */
export interface ParsedEnvelope {
  header: Record<string, unknown>;
  items: EnvelopeItem[];
  /** Offsets of the start and end of the envelope header's line in the parsed bytes. */
  headerStart: number;
  headerEnd: number;
}

export interface EnvelopeItem {
  header: ItemHeader;
  /** A view into the bytes that were parsed. */
  payload: Uint8Array;
  /** Offset of the start of the item header's line. */
  start: number;
  /** Offset of the end of its payload, without the newline that may follow. */
  end: number;
  /** The stated length was wrong, and the payload was taken up to the newline instead. */
  isLengthWrong: boolean;
}

export type ItemHeader = Record<string, unknown> & { type: string };

export interface EnvelopeParseLimits {
  /** Bytes of the envelope header's line. */
  maxHeaderBytes: number;
  maxItemHeaderBytes: number;
  /** Bytes of all item headers together. */
  maxItemHeadersBytes: number;
  maxItems: number;
  /** Blank bytes in a row, before the first line and between items. */
  maxBlankBytes: number;
}

/** Our own limits: real headers have under 2 KiB, real envelopes under a hundred items. They bound the work for hostile ones. */
export const ENVELOPE_PARSE_LIMITS: EnvelopeParseLimits = {
  maxHeaderBytes: 128 * 1024,
  maxItemHeaderBytes: 16 * 1024,
  // As many lists in lists as a thousand headers may have, a body of 21 KB held the thread for 15 seconds and 600 MB.
  maxItemHeadersBytes: 256 * 1024,
  maxItems: 1000,
  // A body of a few KB may unpack to 100 MB of line breaks. Looking at each would hold up all other requests.
  maxBlankBytes: 64 * 1024,
};

/** Thrown when the bytes are no envelope. The message tells the sender what is wrong and at which byte. */
export class MalformedEnvelopeError extends Error {
  override readonly name = "MalformedEnvelopeError";
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(`${message} (at byte ${offset})`);
    this.offset = offset;
  }
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
/** Characters of hostile text that a message repeats. */
const MAX_QUOTED_CHARS = 40;

const decoder = new TextDecoder();

/**
 * Reads an envelope (protocol 2.1) with the tolerance of section 13: implicit lengths, blank lines, CRLF, a missing last
 * newline, a byte order mark, and lengths counted in characters. Linear in the number of bytes.
 *
 * @throws {MalformedEnvelopeError}
 */
export function parseEnvelope(bytes: Uint8Array, limits: EnvelopeParseLimits = ENVELOPE_PARSE_LIMITS): ParsedEnvelope {
  const headerStart = skipBlank(bytes, startsWithByteOrderMark(bytes) ? 3 : 0, limits.maxBlankBytes);
  if (headerStart >= bytes.length) throw new MalformedEnvelopeError("the envelope is empty", headerStart);
  const headerEnd = findLineEnd(bytes, headerStart);
  const header = parseHeader(bytes, headerStart, headerEnd, limits.maxHeaderBytes, "envelope header");

  const items: EnvelopeItem[] = [];
  let itemHeadersBytes = 0;
  let at = skipBlank(bytes, headerEnd, limits.maxBlankBytes);
  while (at < bytes.length) {
    if (items.length === limits.maxItems) {
      throw new MalformedEnvelopeError(`the envelope has more than ${limits.maxItems} items`, at);
    }
    const item = parseItem(bytes, at, items.length, limits.maxItemHeaderBytes);
    items.push(item);
    itemHeadersBytes += item.payload.byteOffset - bytes.byteOffset - at;
    if (itemHeadersBytes > limits.maxItemHeadersBytes)
      throw new MalformedEnvelopeError(`the item headers have more than ${limits.maxItemHeadersBytes} bytes`, at);
    at = skipBlank(bytes, item.end, limits.maxBlankBytes);
  }
  return { header, items, headerStart, headerEnd };
}

function parseItem(bytes: Uint8Array, start: number, index: number, maxHeaderBytes: number): EnvelopeItem {
  const lineEnd = findLineEnd(bytes, start);
  const header = parseHeader(bytes, start, lineEnd, maxHeaderBytes, "header of an item", index);
  if (!isItemHeader(header)) throw new MalformedEnvelopeError(`the header of item ${index + 1} has no type`, start);

  const payloadStart = Math.min(lineEnd + 1, bytes.length);
  const length = readLength(header, start, index);
  let end: number;
  let isLengthWrong = false;
  if (length === null) {
    end = findLineEnd(bytes, payloadStart);
  } else {
    end = payloadStart + length;
    // An empty payload needs no newline of its own: the one after the header will do.
    if (length > 0 && !isItemEnd(bytes, end)) {
      // Some SDKs count characters instead of bytes. The end of JSON on a single line can be found without the length.
      end = findLineEnd(bytes, payloadStart);
      if (!looksLikeWholeJson(bytes, payloadStart, end)) {
        throw new MalformedEnvelopeError(lengthProblem(bytes, header, length, payloadStart, index), payloadStart);
      }
      isLengthWrong = true;
    }
  }
  return { header, payload: bytes.subarray(payloadStart, end), start, end, isLengthWrong };
}

function parseHeader(
  bytes: Uint8Array,
  start: number,
  end: number,
  maxBytes: number,
  what: string,
  index?: number,
): Record<string, unknown> {
  const name = index === undefined ? what : `header of item ${index + 1}`;
  if (end - start > maxBytes) throw new MalformedEnvelopeError(`the ${name} is longer than ${maxBytes} bytes`, start);
  let header: unknown;
  try {
    // A plain view: making one of a Buffer, as `subarray` would here, takes twice as long.
    header = JSON.parse(decoder.decode(new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start)));
  } catch {
    throw new MalformedEnvelopeError(`the ${name} is not valid JSON`, start);
  }
  if (!isRecord(header)) throw new MalformedEnvelopeError(`the ${name} is not a JSON object`, start);
  return header;
}

/** Null when the header has no length. Zero is a length. */
function readLength(header: ItemHeader, start: number, index: number): number | null {
  const stated = header.length;
  if (stated === undefined || stated === null) return null;
  const length = typeof stated === "string" && /^\d{1,15}$/.test(stated) ? Number(stated) : stated;
  if (typeof length === "number" && Number.isSafeInteger(length) && length >= 0) return length;
  throw new MalformedEnvelopeError(`the length of item ${index + 1} is not a whole number of bytes`, start);
}

function isItemEnd(bytes: Uint8Array, end: number): boolean {
  if (end >= bytes.length) return end === bytes.length;
  const next = bytes[end];
  return next === NEWLINE || (next === CARRIAGE_RETURN && (end + 1 === bytes.length || bytes[end + 1] === NEWLINE));
}

function lengthProblem(
  bytes: Uint8Array,
  header: ItemHeader,
  length: number,
  payloadStart: number,
  index: number,
): string {
  const name = `item ${index + 1} (${JSON.stringify(header.type.slice(0, MAX_QUOTED_CHARS))})`;
  const left = bytes.length - payloadStart;
  if (length > left) return `${name} states ${length} bytes, but only ${left} are left`;
  return `${name} states ${length} bytes, but no newline follows them`;
}

function looksLikeWholeJson(bytes: Uint8Array, start: number, end: number): boolean {
  let last = end - 1;
  while (last > start && isBlank(bytes[last])) last--;
  const open = bytes[start];
  const close = bytes[last];
  return last > start && ((open === 0x7b && close === 0x7d) || (open === 0x5b && close === 0x5d));
}

function findLineEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(NEWLINE, from);
  return end < 0 ? bytes.length : end;
}

function skipBlank(bytes: Uint8Array, from: number, maxBytes: number): number {
  const end = Math.min(bytes.length, from + maxBytes);
  let at = from;
  while (at < end && isBlank(bytes[at])) at++;
  if (at === end && at < bytes.length && isBlank(bytes[at]))
    throw new MalformedEnvelopeError(`more than ${maxBytes} blank bytes follow one another`, from);
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === NEWLINE || byte === CARRIAGE_RETURN || byte === 0x20 || byte === 0x09;
}

export function startsWithByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function isItemHeader(header: Record<string, unknown>): header is ItemHeader {
  return typeof header.type === "string";
}

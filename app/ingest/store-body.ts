import { normalizeEventId } from "../protocol/event-id.ts";
import { startsWithByteOrderMark } from "../protocol/parse-envelope.ts";
import { glanceAtJson } from "../protocol/parse-json.ts";
import { findSignal } from "../signals/registry.ts";
import type { DecodeBody } from "./decode-body.ts";
import type { BytesLease } from "./in-flight-bytes.ts";
import { wrapInEnvelope } from "./reframe-envelope.ts";
import { Refusal } from "./refusal.ts";

/** An event that came without an envelope, wrapped into one. */
export interface StoreEnvelope {
  eventId: string;
  envelope: Uint8Array;
}

const MAX_EVENT_BYTES = findSignal({ type: "event" }).limits.maxItemBytes;
/** An event of the largest size as base64, which is how it may travel here, and some space around it. */
export const MAX_STORE_BYTES = Math.ceil((MAX_EVENT_BYTES * 4) / 3) + 1024;

/** Takes the JSON of one event, or the base64 of the JSON or of its zlib stream, as the oldest SDKs send it. */
export async function readStoreBody(
  body: Uint8Array,
  { randomId, decodeBody, lease }: { randomId: () => string; decodeBody: DecodeBody; lease: BytesLease },
): Promise<StoreEnvelope | Refusal> {
  let json = trimStart(body);
  if (json.length === 0) return new Refusal("empty_body", "empty request body");
  if (json[0] !== 0x7b) {
    const unwrapped = decodeBase64(json);
    if (unwrapped === null)
      return new Refusal("malformed_json", "invalid JSON data: the body is neither a JSON object nor base64");
    const decoded = await decodeBody(unwrapped, undefined, MAX_STORE_BYTES, lease);
    if (decoded instanceof Refusal) return decoded;
    json = trimStart(decoded);
  }
  if (json.length > MAX_EVENT_BYTES)
    return new Refusal("event_too_large", `the event is larger than ${MAX_EVENT_BYTES} bytes`);
  return wrapEvent(json, randomId);
}

function wrapEvent(json: Uint8Array, randomId: () => string): StoreEnvelope | Refusal {
  // Parsed with the digest's repairs: old Python SDKs write NaN and Infinity.
  const event = glanceAtJson(json, 1);
  if (event === undefined) return new Refusal("malformed_json", "invalid JSON data");
  if (typeof event !== "object" || event === null || Array.isArray(event)) {
    return new Refusal("malformed_json", "invalid JSON data: the event is not an object");
  }
  const stated = "event_id" in event ? normalizeEventId(event.event_id) : null;
  const eventId = stated ?? randomId();
  const type = "type" in event && event.type === "transaction" ? "transaction" : "event";
  return { eventId, envelope: wrapInEnvelope(eventId, { type }, json) };
}

/** Null when the text is not base64 at all: Node's own decoder skips characters that it does not know. */
function decodeBase64(bytes: Uint8Array): Uint8Array | null {
  // A plus sign that went through form decoding is a space.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1").trim().replaceAll(" ", "+");
  if (!/^[A-Za-z0-9+/_\r\n-]+={0,2}$/.test(text)) return null;
  return Buffer.from(text, "base64");
}

function trimStart(bytes: Uint8Array): Uint8Array {
  let at = startsWithByteOrderMark(bytes) ? 3 : 0;
  while (at < bytes.length && isBlank(bytes[at])) at++;
  return at === 0 ? bytes : bytes.subarray(at);
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

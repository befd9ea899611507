import zlib from "node:zlib";
import { MIB } from "../domain/bytes.ts";
import { freeBuffer } from "../domain/free-memory.ts";
import type { BytesLease } from "./in-flight-bytes.ts";
import { overloaded } from "./read-body.ts";
import { Refusal } from "./refusal.ts";
import { createLargeUnpacker, type LargeUnpacker, type Packing, tooLarge, ZSTD_OPTIONS } from "./unpack-large.ts";

/**
 * Bytes. A smaller body is unpacked in place, which takes less time than sending it to another thread and back (17 µs for 10 KB of event).
 */
const MAX_SYNC_INPUT_BYTES = 64 * 1024;
/** The largest result of unpacking in place. It bounds the time that unpacking blocks the thread to about 1 ms. */
const MAX_SYNC_OUTPUT_BYTES = MIB;
const MIN_CHUNK_BYTES = 1024;
const MAX_CHUNK_BYTES = 128 * 1024;
/** Events, spans and logs are packed to a tenth of their size, seldom to a fortieth. */
const BELIEVED_RATIO = 64;
/** Allows a gzip inside a gzip, which proxies make. */
const MAX_LAYERS = 2;
/** The names that senders use. An empty one and `identity` mean that the body is not packed. */
const CODINGS: ReadonlySet<string> = new Set(["", "identity", "gzip", "x-gzip", "deflate", "br", "zstd"]);

type Decoded = Uint8Array | Refusal;

/**
 * Unpacks a body. `encoding` is the `Content-Encoding` header as it came. It may be wrong, so the first bytes of the body decide how it is
 * unpacked (protocol 2.4, 13). Stops as soon as the result would exceed `maxBytes`, however small the input is.
 */
export type DecodeBody = (
  body: Uint8Array,
  encoding: string | undefined,
  maxBytes: number,
  lease: BytesLease,
) => Decoded | Promise<Decoded>;

/**
 * See `freeMemory`. Unpacked bytes have their buffer to themselves, and may not fill it. Short ones lie in a buffer that Node shares
 * among many, but take less than half of it.
 */
export function freeUnpacked({ buffer, byteLength }: Uint8Array): void {
  if (byteLength * 2 > buffer.byteLength) freeBuffer(buffer);
}

/** Creates the decoder for all requests. Large bodies are unpacked a few at a time. */
export function createBodyDecoder(large: LargeUnpacker = createLargeUnpacker()): DecodeBody {
  return (body, encoding, maxBytes, lease) => {
    const coding = lastCoding(encoding);
    const packing = choosePacking(body, coding);
    if (packing !== null) return unpack(body, packing, maxBytes, { lease, large }, 1);
    // An error like "invalid JSON" for a body packed with snappy would send people to look for the fault in the JSON.
    if (!CODINGS.has(coding) && !looksLikeText(body)) return unsupported(coding);
    return body;
  };
}

function unsupported(coding: string): Refusal {
  const detail = `the content encoding ${coding.slice(0, 40)} is not supported: send gzip, deflate, br, zstd or none`;
  return new Refusal("unsupported_encoding", detail);
}

function unpack(
  body: Uint8Array,
  packing: Packing,
  maxBytes: number,
  means: { lease: BytesLease; large: LargeUnpacker },
  layer: number,
): Decoded | Promise<Decoded> {
  const { lease, large } = means;
  const finish = (result: Uint8Array | "broken" | Refusal): Decoded | Promise<Decoded> => {
    if (result instanceof Refusal) return result;
    // These two have no magic number: a plain body with such a header may fail to unpack, or unpack to nonsense.
    const isGuess = packing === "raw-deflate" || packing === "br";
    if (isGuess && looksLikeText(body) && (result === "broken" || !looksLikeText(result))) return body;
    if (result === "broken") {
      return new Refusal(
        "malformed_encoding",
        `the body is not valid ${isGuess && packing !== "br" ? "deflate" : packing}`,
      );
    }
    const inner = layer < MAX_LAYERS ? sniff(result) : null;
    return inner === null ? result : unpack(result, inner, maxBytes, means, layer + 1);
  };
  if (body.length <= MAX_SYNC_INPUT_BYTES) {
    const result = unpackInPlace(body, packing, Math.min(MAX_SYNC_OUTPUT_BYTES, maxBytes));
    if (result !== "too-large") {
      if (result !== "broken" && !lease.take(result.length)) return overloaded();
      return finish(result);
    }
    if (maxBytes <= MAX_SYNC_OUTPUT_BYTES) return tooLarge(maxBytes);
  }
  return large.unpack(body, packing, maxBytes, lease).then(finish);
}

function unpackInPlace(
  body: Uint8Array,
  packing: Packing,
  maxOutputLength: number,
): Uint8Array | "broken" | "too-large" {
  try {
    switch (packing) {
      case "gzip":
        return zlib.gunzipSync(body, { maxOutputLength, chunkSize: gzipChunkBytes(body) });
      case "zlib":
        return zlib.inflateSync(body, { maxOutputLength });
      case "raw-deflate":
        return zlib.inflateRawSync(body, { maxOutputLength });
      case "br":
        return zlib.brotliDecompressSync(body, { maxOutputLength });
      case "zstd":
        return unzstdInPlace(body, maxOutputLength);
    }
  } catch (error) {
    return error instanceof RangeError ? "too-large" : "broken";
  }
}

/**
 * The size of the first chunk for unpacking. A gzip stream ends with the size of its contents. If the output fits into the first chunk, it
 * is not copied, which saves a sixth of the time. The sender may lie, so a size is only believed if it is small, or plausible for a body of
 * its length. A container of a hundred spans is larger than the small ones.
 */
function gzipChunkBytes(body: Uint8Array): number {
  const at = body.length - 4;
  if (at < 0) return MIN_CHUNK_BYTES;
  const stated = new DataView(body.buffer, body.byteOffset + at, 4).getUint32(0, true);
  const believed = Math.min(Math.max(body.length * BELIEVED_RATIO, MAX_CHUNK_BYTES), MAX_SYNC_OUTPUT_BYTES);
  return Math.min(Math.max(stated + 1, MIN_CHUNK_BYTES), believed);
}

/** Node unpacks the first frame and ignores the bytes after it without an error, so this checks that all of them were read. */
function unzstdInPlace(body: Uint8Array, maxOutputLength: number): Uint8Array | "broken" {
  const result: unknown = zlib.zstdDecompressSync(body, { ...ZSTD_OPTIONS, maxOutputLength, info: true });
  if (!isUnpackedWithEngine(result)) return "broken";
  return result.engine.bytesWritten === body.length ? result.buffer : "broken";
}

/** Checks for the result of `info: true`, which the types of Node do not have. */
function isUnpackedWithEngine(value: unknown): value is { buffer: Uint8Array; engine: { bytesWritten: number } } {
  return typeof value === "object" && value !== null && "buffer" in value && "engine" in value;
}

/** The last of several codings: it was applied last. The ones below it are recognized by their bytes. */
function lastCoding(encoding: string | undefined): string {
  return encoding === undefined
    ? ""
    : encoding
        .slice(encoding.lastIndexOf(",") + 1)
        .trim()
        .toLowerCase();
}

function choosePacking(body: Uint8Array, token: string): Packing | null {
  if (body.length === 0) return null;
  // Brotli reads a body that begins with a brace as an empty stream with trailing bytes.
  if (token === "br") return body[0] === 0x7b ? null : "br";
  if (token === "deflate") return sniff(body) ?? (hasZlibHeader(body) ? "zlib" : "raw-deflate");
  return sniff(body);
}

/** Recognizes packed bodies by their magic numbers. Neither an envelope nor JSON can begin with one of them. */
function sniff(body: Uint8Array): Packing | null {
  const b0 = body[0];
  const b1 = body[1];
  if (b0 === 0x1f && b1 === 0x8b) return "gzip";
  if (b0 === 0x28 && b1 === 0xb5 && body[2] === 0x2f && body[3] === 0xfd) return "zstd";
  return b0 === 0x78 && hasZlibHeader(body) ? "zlib" : null;
}

/** RFC 1950: method 8, a window of at most 32 KiB, check bits, and no preset dictionary. */
function hasZlibHeader(body: Uint8Array): boolean {
  const b0 = body[0] ?? 0;
  const b1 = body[1] ?? 0;
  return (b0 & 0x0f) === 8 && b0 >> 4 <= 7 && ((b0 << 8) | b1) % 31 === 0 && (b1 & 0x20) === 0;
}

/** Whether the body begins like JSON or an envelope, perhaps after a byte order mark. Protobuf of OTLP begins with 0x0a, too. */
function looksLikeText(body: Uint8Array): boolean {
  const first = body[0];
  return (
    first === 0x7b ||
    first === 0x5b ||
    first === 0xef ||
    first === 0x20 ||
    first === 0x0a ||
    first === 0x0d ||
    first === 0x09
  );
}

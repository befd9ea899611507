import { promisify } from "node:util";
import { constants, crc32, zstdCompress, zstdDecompress } from "node:zlib";
import { DamagedPayloadError } from "../payload-store.ts";

/**
 * A block begins with this header, little endian:
 *
 *     0  4  "CPB1"
 *     4  4  CRC-32 of the rest of the header
 *     8  4  CRC-32 of the body as stored
 *    12  4  length of the body as stored
 *    16  4  length of the body before compression
 *    20  4  number of payloads; 0: the body is a dictionary
 *    24  1  codec
 *    25  1  1: the last payload is the log entry of its append (`PayloadStore.append`); 2 bytes unused
 *    28  4  of a block with a log entry: number of the blocks before it that its append has written
 *    32  8  offset in the file of the block that holds the dictionary; 0: none
 *
 * The body is the lengths of the payloads (4 bytes each), then the payloads. Of a chunked block it is one payload in
 * pieces, each after its length as stored and its length before compression (4 bytes each; equal: it is stored raw).
 */
export interface BlockHeader {
  bodyCrc: number;
  storedBytes: number;
  bodyBytes: number;
  count: number;
  codec: number;
  dictionaryOffset: number;
  /** Null: no payload of it is a log entry. Files of the first version have none. */
  entry: BlockEntry | null;
}

/** Marks a block whose last payload is the log entry of its append. */
export interface BlockEntry {
  /** Blocks that the same append has written before this one. */
  blocksBefore: number;
}

export const BLOCK_HEADER_BYTES = 40;

export const CODEC = { raw: 0, zstd: 1, chunked: 2 } as const;

export interface Dictionary {
  /** Offset of its block in the file. */
  offset: number;
  bytes: Uint8Array;
}

/** The first bytes of every block. */
export const BLOCK_MAGIC = Buffer.from("CPB1", "latin1");

export function encodeHeader(header: BlockHeader): Buffer {
  const bytes = Buffer.alloc(BLOCK_HEADER_BYTES);
  BLOCK_MAGIC.copy(bytes);
  bytes.writeUInt32LE(header.bodyCrc, 8);
  bytes.writeUInt32LE(header.storedBytes, 12);
  bytes.writeUInt32LE(header.bodyBytes, 16);
  bytes.writeUInt32LE(header.count, 20);
  bytes.writeUInt8(header.codec, 24);
  if (header.entry !== null) {
    bytes.writeUInt8(1, 25);
    bytes.writeUInt32LE(header.entry.blocksBefore, 28);
  }
  bytes.writeDoubleLE(header.dictionaryOffset, 32);
  bytes.writeUInt32LE(crc32(bytes.subarray(8)), 4);
  return bytes;
}

/** @throws {DamagedPayloadError} */
export function parseHeader(bytes: Buffer): BlockHeader {
  if (bytes.length < BLOCK_HEADER_BYTES || !bytes.subarray(0, 4).equals(BLOCK_MAGIC)) {
    throw new DamagedPayloadError("no block begins where it should");
  }
  if (crc32(bytes.subarray(8, BLOCK_HEADER_BYTES)) !== bytes.readUInt32LE(4)) {
    throw new DamagedPayloadError("the checksum of its block's header is wrong");
  }
  return {
    bodyCrc: bytes.readUInt32LE(8),
    storedBytes: bytes.readUInt32LE(12),
    bodyBytes: bytes.readUInt32LE(16),
    count: bytes.readUInt32LE(20),
    codec: bytes.readUInt8(24),
    dictionaryOffset: bytes.readDoubleLE(32),
    entry: bytes.readUInt8(25) === 1 ? { blocksBefore: bytes.readUInt32LE(28) } : null,
  };
}

/** Header and body of payloads that are compressed together. */
export async function encodeBlock(
  payloads: readonly Uint8Array[],
  dictionary: Dictionary | null,
  entry: BlockEntry | null = null,
): Promise<Uint8Array[]> {
  const body = concatPayloads(payloads, Buffer.allocUnsafe);
  return await encodeBody(body, { count: payloads.length, dictionary, entry });
}

/** The body of a block before compression. `allocate` returns a buffer of the given number of bytes. */
export function concatPayloads(payloads: readonly Uint8Array[], allocate: (bytes: number) => Buffer): Buffer {
  let bytes = payloads.length * 4;
  for (const payload of payloads) bytes += payload.length;
  const body = allocate(bytes);
  let at = payloads.length * 4;
  for (const [index, payload] of payloads.entries()) {
    body.writeUInt32LE(payload.length, index * 4);
    body.set(payload, at);
    at += payload.length;
  }
  return body;
}

/** Header and body of a dictionary. */
export async function encodeDictionary(bytes: Uint8Array): Promise<Uint8Array[]> {
  return await encodeBody(bytes, { count: 0, dictionary: null, entry: null });
}

/** The payload at this place in the body, as a view of it. @throws {DamagedPayloadError} */
export function payloadInBody(body: Uint8Array, count: number, index: number): Uint8Array {
  if (index < 0 || index >= count || count * 4 > body.length) {
    throw new DamagedPayloadError(`its block has ${count} payloads, and it is number ${index}`);
  }
  const lengths = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let start = count * 4;
  for (let before = 0; before < index; before++) start += lengths.getUint32(before * 4, true);
  const end = start + lengths.getUint32(index * 4, true);
  if (end > body.length) throw new DamagedPayloadError("it ends after its block");
  return body.subarray(start, end);
}

/**
 * 1 MB blocks at level 3 take 500 bytes for an event of 9.7 KB and 12 ms of CPU for 1,000 of them; blocks of 128 KB take
 * 1,350 and 24, level 1 takes 670 and 12, level 9 takes 450 and 50.
 */
export const LEVEL = 3;

export const OUTPUT_CHUNK_BYTES = 128 * 1024;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Returns the input itself if compression saves less than a twentieth: most likely it is compressed already. */
export async function pack(bytes: Uint8Array, dictionary?: Uint8Array): Promise<Uint8Array> {
  const packed = await compress(bytes, {
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
    chunkSize: OUTPUT_CHUNK_BYTES,
    ...(dictionary ? { dictionary } : { pledgedSrcSize: bytes.length }),
  });
  return isWorthPacking(packed, bytes) ? packed : bytes;
}

/** False when compression saves less than a twentieth. */
export function isWorthPacking(packed: Uint8Array, bytes: Uint8Array): boolean {
  return packed.length < bytes.length * 0.95;
}

/** @throws {DamagedPayloadError} if the result does not have this many bytes. */
export async function unpack(packed: Uint8Array, length: number, dictionary?: Uint8Array): Promise<Uint8Array> {
  let bytes: Uint8Array;
  try {
    const limits = { maxOutputLength: Math.max(1, length), chunkSize: Math.max(64, length) };
    bytes = await decompress(packed, dictionary ? { ...limits, dictionary } : limits);
  } catch (error) {
    throw new DamagedPayloadError("its block does not decompress", { cause: error });
  }
  if (bytes.length !== length)
    throw new DamagedPayloadError(`its block has ${bytes.length} bytes instead of ${length}`);
  return bytes;
}

async function encodeBody(
  body: Uint8Array,
  { count, dictionary, entry }: { count: number; dictionary: Dictionary | null; entry: BlockEntry | null },
): Promise<Uint8Array[]> {
  const stored = await pack(body, dictionary?.bytes);
  return toBlock({
    stored,
    isPacked: stored !== body,
    bodyBytes: body.length,
    count,
    dictionaryOffset: dictionary?.offset ?? 0,
    entry,
  });
}

/** The header, followed by the stored bytes. */
export function toBlock(block: {
  stored: Uint8Array;
  isPacked: boolean;
  /** Bytes before compression. */
  bodyBytes: number;
  count: number;
  dictionaryOffset?: number;
  entry?: BlockEntry | null;
}): Uint8Array[] {
  const { stored, isPacked, bodyBytes, count, dictionaryOffset = 0, entry = null } = block;
  const header = encodeHeader({
    bodyCrc: crc32(stored),
    storedBytes: stored.length,
    bodyBytes,
    count,
    codec: isPacked ? CODEC.zstd : CODEC.raw,
    dictionaryOffset: isPacked ? dictionaryOffset : 0,
    entry,
  });
  return [header, stored];
}

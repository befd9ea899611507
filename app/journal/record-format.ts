import { crc32 } from "node:zlib";
import { MIB } from "../domain/bytes.ts";

/*
 * A segment is a header and then records, one after the other; all numbers are little endian.
 *
 *   segment header                        record header
 *    0  8  "CULPRITJ"                      0  4  marker
 *    8  4  version                         4  4  length of the payload
 *   12  8  id of the journal               8  8  sequence
 *   20  8  sequence of the first record   16  4  CRC-32 of the payload
 *   28  4  CRC-32 of the bytes before     20  4  CRC-32 of the bytes before, seeded with the journal's id
 *
 * The header of a record has a checksum of its own, so that a damaged payload is skipped by its length. After a damaged
 * header the next one is found by its marker; the seed, which no sender knows, keeps a payload from posing as records.
 */

export const SEGMENT_HEADER_BYTES = 32;
export const RECORD_HEADER_BYTES = 24;
export const FORMAT_VERSION = 1;

/** Our own limit: five times the largest envelope that ingest accepts. A greater length is damage. */
export const MAX_RECORD_BYTES = 512 * MIB;

const MAGIC = Buffer.from("CULPRITJ", "latin1");
const MARKER = Buffer.from([0xc7, 0x4a, 0x52, 0x9e]);
const MARKER_NUMBER = MARKER.readUInt32LE(0);
const TWO_POW_32 = 2 ** 32;

export interface RecordHeader {
  /** Bytes of the payload. */
  length: number;
  sequence: number;
  payloadCrc: number;
}

/** The start value for the checksums of this journal's record headers. */
export function recordSeed(journalId: string): number {
  return crc32(Buffer.from(journalId, "hex"));
}

export function writeRecordHeader(target: Buffer, at: number, header: RecordHeader, seed: number): void {
  target.writeUInt32LE(MARKER_NUMBER, at);
  target.writeUInt32LE(header.length, at + 4);
  writeSequence(target, at + 8, header.sequence);
  target.writeUInt32LE(header.payloadCrc, at + 16);
  target.writeUInt32LE(crc32(target.subarray(at, at + 20), seed), at + 20);
}

/** Null when no whole header of this journal is at that place. */
export function readRecordHeader(source: Buffer, at: number, seed: number): RecordHeader | null {
  if (at + RECORD_HEADER_BYTES > source.length || source.readUInt32LE(at) !== MARKER_NUMBER) return null;
  if (crc32(source.subarray(at, at + 20), seed) !== source.readUInt32LE(at + 20)) return null;
  const length = source.readUInt32LE(at + 4);
  if (length > MAX_RECORD_BYTES) return null;
  return { length, sequence: readSequence(source, at + 8), payloadCrc: source.readUInt32LE(at + 16) };
}

/** The first whole record header in these bytes, wherever it begins. Null when there is none. */
export function findRecordHeader(source: Buffer, seed: number): { at: number; sequence: number } | null {
  for (let at = source.indexOf(MARKER); at >= 0; at = source.indexOf(MARKER, at + 1)) {
    const header = readRecordHeader(source, at, seed);
    if (header !== null) return { at, sequence: header.sequence };
  }
  return null;
}

export function encodeSegmentHeader(journalId: string, baseSequence: number): Buffer {
  const header = Buffer.alloc(SEGMENT_HEADER_BYTES);
  MAGIC.copy(header, 0);
  header.writeUInt32LE(FORMAT_VERSION, 8);
  header.write(journalId, 12, 8, "hex");
  writeSequence(header, 20, baseSequence);
  header.writeUInt32LE(crc32(header.subarray(0, 28)), 28);
  return header;
}

/** Null when the header is damaged. The records behind it can still be read. */
export function readSegmentHeader(bytes: Buffer): { version: number; journalId: string } | null {
  if (bytes.length < SEGMENT_HEADER_BYTES || MAGIC.compare(bytes, 0, MAGIC.length) !== 0) return null;
  if (crc32(bytes.subarray(0, 28)) !== bytes.readUInt32LE(28)) return null;
  return { version: bytes.readUInt32LE(8), journalId: bytes.toString("hex", 12, 20) };
}

function writeSequence(target: Buffer, at: number, sequence: number): void {
  target.writeUInt32LE(sequence % TWO_POW_32, at);
  target.writeUInt32LE(Math.floor(sequence / TWO_POW_32), at + 4);
}

function readSequence(source: Buffer, at: number): number {
  return source.readUInt32LE(at + 4) * TWO_POW_32 + source.readUInt32LE(at);
}

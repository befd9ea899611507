import { crc32 } from "node:zlib";
import { RECORD_HEADER_BYTES, writeRecordHeader } from "./record-format.ts";

/** Shorter parts are copied together with the record's header: one buffer costs less than many in one `writev`. */
const MIN_REFERENCED_BYTES = 2048;

export interface RecordParts {
  parts: readonly Uint8Array[];
  /** Bytes of all parts. */
  length: number;
}

/** Records with consecutive sequences, as buffers for one write. Large parts are referenced: they must not change before it ends. */
export function encodeBatch(
  records: readonly RecordParts[],
  firstSequence: number,
  seed: number,
): { buffers: Uint8Array[]; bytes: number } {
  let slabBytes = 0;
  let bytes = 0;
  for (const { parts, length } of records) {
    slabBytes += RECORD_HEADER_BYTES;
    bytes += RECORD_HEADER_BYTES + length;
    for (const part of parts) if (part.length < MIN_REFERENCED_BYTES) slabBytes += part.length;
  }

  const slab = Buffer.allocUnsafe(slabBytes);
  const buffers: Uint8Array[] = [];
  let at = 0;
  let sequence = firstSequence;
  for (const { parts, length } of records) {
    const headerAt = at;
    let flushedAt = at;
    at += RECORD_HEADER_BYTES;
    let crcAt = at;
    let payloadCrc = 0;
    for (const part of parts) {
      if (part.length < MIN_REFERENCED_BYTES) {
        slab.set(part, at);
        at += part.length;
        continue;
      }
      if (at > crcAt) payloadCrc = crc32(slab.subarray(crcAt, at), payloadCrc);
      payloadCrc = crc32(part, payloadCrc);
      buffers.push(slab.subarray(flushedAt, at), part);
      flushedAt = at;
      crcAt = at;
    }
    if (at > crcAt) payloadCrc = crc32(slab.subarray(crcAt, at), payloadCrc);
    if (at > flushedAt) buffers.push(slab.subarray(flushedAt, at));
    writeRecordHeader(slab, headerAt, { length, sequence, payloadCrc }, seed);
    sequence++;
  }
  return { buffers, bytes };
}

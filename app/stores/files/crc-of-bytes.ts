import type { FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { MIB } from "../../domain/bytes.ts";

const PIECE_BYTES = MIB;

/** CRC-32 of a range of a file (inclusive, exclusive), or of the existing part of the range. */
export async function crcOfBytes(file: FileHandle, from: number, to: number): Promise<number> {
  const buffer = Buffer.alloc(Math.min(PIECE_BYTES, Math.max(1, to - from)));
  let crc = 0;
  for (let at = from; at < to; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, to - at), at);
    if (bytesRead === 0) break;
    crc = crc32(buffer.subarray(0, bytesRead), crc);
    at += bytesRead;
  }
  return crc;
}

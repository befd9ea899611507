import type { BlobReader } from "../stores/blob-store.ts";

/**
 * A reader for many small consecutive reads, which are served from one piece of the file. The bytes must not be changed, and are valid as
 * long as their piece.
 */
export function readAhead(reader: BlobReader, pieceBytes: number): BlobReader {
  let piece: Uint8Array = new Uint8Array(0);
  let pieceStart = 0;
  return {
    bytes: reader.bytes,
    async read(offset, length) {
      const isInside = offset >= pieceStart && offset + length <= pieceStart + piece.length && length > 0;
      if (!isInside) {
        if (length >= pieceBytes) return await reader.read(offset, length);
        piece = await reader.read(offset, pieceBytes);
        pieceStart = offset;
      }
      return piece.subarray(offset - pieceStart, offset - pieceStart + length);
    },
    close: () => reader.close(),
  };
}

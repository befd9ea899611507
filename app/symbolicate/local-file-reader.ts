import { open } from "node:fs/promises";
import type { BlobReader } from "../stores/blob-store.ts";

/** Reads a file on disk as the blob store reads a blob. @throws when there is no such file */
export async function openLocalFile(path: string): Promise<BlobReader> {
  const handle = await open(path, "r");
  const { size } = await handle.stat();
  return {
    bytes: size,
    async read(offset, length) {
      const wanted = Math.max(0, Math.min(length, size - offset));
      const buffer = Buffer.allocUnsafe(wanted);
      let filled = 0;
      while (filled < wanted) {
        const { bytesRead } = await handle.read(buffer, filled, wanted - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    },
    close: () => handle.close(),
  };
}

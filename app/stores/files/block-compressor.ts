import { constants, createZstdCompress } from "node:zlib";
import { concatPayloads, isWorthPacking, LEVEL, OUTPUT_CHUNK_BYTES, toBlock } from "./payload-block.ts";

/** A block's own size, 1 MiB as a power of two: what lies farther back is in another block. */
const WINDOW_LOG = 20;

/**
 * Compresses large blocks, one at a time, with one context and one buffer for all of them. A context for each block takes 37 µs of
 * processor time for an event of 10 KB where this takes 24: its megabytes are new to the process every time. They also count
 * against V8's limit while they last, which made most of the digest's full garbage collections.
 */
export class BlockCompressor {
  readonly #stream = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_windowLog]: WINDOW_LOG },
    chunkSize: OUTPUT_CHUNK_BYTES,
  });
  #body = Buffer.alloc(0);

  /** Returns header and body, as `encodeBlock` does without a dictionary. */
  async encodeBlock(payloads: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const body = concatPayloads(payloads, (bytes) => {
      if (bytes > this.#body.length) this.#body = Buffer.allocUnsafeSlow(bytes);
      return this.#body.subarray(0, bytes);
    });
    const packed = await this.#compress(body);
    // A copy: the next block is written over this one.
    const stored = isWorthPacking(packed, body) ? packed : Uint8Array.from(body);
    return toBlock({ stored, isPacked: stored === packed, bodyBytes: body.length, count: payloads.length });
  }

  close(): void {
    this.#stream.destroy();
  }

  #compress(bytes: Uint8Array): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const stream = this.#stream;
      const chunks: Buffer[] = [];
      const take = (chunk: Buffer) => chunks.push(chunk);
      const end = (error?: Error | null) => {
        stream.off("data", take);
        stream.off("error", end);
        if (error) reject(error);
        else resolve(Buffer.concat(chunks));
      };
      stream.on("data", take);
      stream.once("error", end);
      stream.write(bytes);
      // Ends the frame; the next bytes begin another. Node calls back with an error where the stream was closed, which its types leave out.
      stream.flush(constants.ZSTD_e_end, end);
    });
  }
}

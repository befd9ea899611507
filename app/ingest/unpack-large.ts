import { promisify } from "node:util";
import zlib from "node:zlib";
import { MIB } from "../domain/bytes.ts";
import { createConcurrencyLimit } from "../domain/concurrency-limit.ts";
import type { BytesLease } from "./in-flight-bytes.ts";
import { overloaded } from "./read-body.ts";
import { Refusal } from "./refusal.ts";

export type Packing = "gzip" | "zlib" | "raw-deflate" | "br" | "zstd";

/** 8 MiB, which RFC 8878 asks decoders to support: larger windows are memory that a few bytes of header can ask for. */
export const ZSTD_OPTIONS = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } };

/** Few, because the journal's writes need the same threads of Node's pool. */
const AT_ONCE = 2;
/** Each waiting body keeps its packed bytes in memory, and unpacking a bomb takes a tenth of a second. */
const MAX_WAITING = 32;
const CHUNK_BYTES = 256 * 1024;
/** If the unpacked body is larger, it is unpacked twice: first to count its bytes, then into one piece of memory of that size. */
const MAX_KEPT_BYTES = 4 * MIB;

/** Unpacks bodies that would take too long on the main thread. */
export interface LargeUnpacker {
  /**
   * Takes the bytes of the result from the lease, and uses little memory beyond it, even for a bomb. Refuses if too many bodies wait. A
   * Zstandard body with bytes after its first frame counts as broken.
   */
  unpack(
    body: Uint8Array,
    packing: Packing,
    maxBytes: number,
    lease: BytesLease,
  ): Promise<Uint8Array | "broken" | Refusal>;
}

export function createLargeUnpacker({ atOnce = AT_ONCE, maxWaiting = MAX_WAITING } = {}): LargeUnpacker {
  const limit = createConcurrencyLimit({ atOnce, maxWaiting });
  return {
    async unpack(body, packing, maxBytes, lease) {
      const leave = await limit.enter();
      if (leave === null) return overloaded();
      try {
        const counted = await unpackCounting(body, packing, maxBytes, lease);
        if (typeof counted !== "number") return counted;
        if (!lease.take(counted - MAX_KEPT_BYTES)) return overloaded();
        return await unpackInto(body, packing, counted);
      } finally {
        leave();
      }
    },
  };
}

/**
 * Returns the unpacked bytes, or only their number if there are more than `MAX_KEPT_BYTES`. In both cases that number was taken from the
 * lease.
 */
function unpackCounting(
  body: Uint8Array,
  packing: Packing,
  maxBytes: number,
  lease: BytesLease,
): Promise<Uint8Array | number | "broken" | Refusal> {
  return new Promise((resolve) => {
    const stream = createUnpacker(packing);
    let chunks: Buffer[] | null = [];
    let size = 0;
    let takenBytes = 0;
    const stop = (result: "broken" | Refusal): void => {
      resolve(result);
      stream.destroy();
    };
    stream.on("data", (chunk: Buffer) => {
      size += chunk.length;
      const bytes = Math.min(chunk.length, MAX_KEPT_BYTES - takenBytes);
      if (size > maxBytes) stop(tooLarge(maxBytes));
      else if (!lease.take(bytes)) stop(overloaded());
      else {
        takenBytes += bytes;
        if (size > MAX_KEPT_BYTES) chunks = null;
        else chunks?.push(chunk);
      }
    });
    stream.on("error", () => stop("broken"));
    stream.on("end", () => {
      const isWhole = packing !== "zstd" || stream.bytesWritten === body.length;
      if (!isWhole) resolve("broken");
      else resolve(chunks === null ? size : Buffer.concat(chunks, size));
    });
    stream.end(body);
  });
}

const gunzip = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflate = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const brotliDecompress = promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);
const zstdDecompress = promisify<zlib.InputType, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress);

/** Unpacks a body that is whole, and whose size is known. The buffer has one byte more, so that zlib asks for no second piece. */
function unpackInto(body: Uint8Array, packing: Packing, bytes: number): Promise<Buffer> {
  const options = { chunkSize: bytes + 1, maxOutputLength: bytes };
  switch (packing) {
    case "gzip":
      return gunzip(body, options);
    case "zlib":
      return inflate(body, options);
    case "raw-deflate":
      return inflateRaw(body, options);
    case "br":
      return brotliDecompress(body, options);
    case "zstd":
      return zstdDecompress(body, { ...ZSTD_OPTIONS, ...options });
  }
}

function createUnpacker(packing: Packing) {
  const chunkSize = CHUNK_BYTES;
  switch (packing) {
    case "gzip":
      return zlib.createGunzip({ chunkSize });
    case "zlib":
      return zlib.createInflate({ chunkSize });
    case "raw-deflate":
      return zlib.createInflateRaw({ chunkSize });
    case "br":
      return zlib.createBrotliDecompress({ chunkSize });
    case "zstd":
      return zlib.createZstdDecompress({ ...ZSTD_OPTIONS, chunkSize });
  }
}

export function tooLarge(maxBytes: number): Refusal {
  return new Refusal("body_too_large", `the body is larger than ${maxBytes} bytes after decompression`);
}

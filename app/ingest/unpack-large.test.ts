import { randomBytes } from "node:crypto";
import zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import { MIB } from "../domain/bytes.ts";
import { createInFlightBytes } from "./in-flight-bytes.ts";
import { createLargeUnpacker, type Packing } from "./unpack-large.ts";

const MAX = 100 * MIB;
/** More than is kept while it is counted. */
const LARGE = Buffer.alloc(9 * MIB, randomBytes(1024));

const PACKERS: Record<Packing, (bytes: Buffer) => Buffer> = {
  gzip: zlib.gzipSync,
  zlib: zlib.deflateSync,
  "raw-deflate": zlib.deflateRawSync,
  br: (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2 } }),
  zstd: zlib.zstdCompressSync,
};

describe.each(Object.entries(PACKERS))("a large body in %s", (name, pack) => {
  const packing = name as Packing;

  test("is unpacked whole, and takes as many bytes from the lease", async () => {
    for (const bytes of [
      LARGE,
      LARGE.subarray(0, 4 * MIB),
      LARGE.subarray(0, 4 * MIB + 1),
      LARGE.subarray(0, 100_000),
    ]) {
      const memory = createInFlightBytes(MAX);
      const result = await createLargeUnpacker().unpack(pack(bytes), packing, MAX, memory.open());
      expect(result instanceof Uint8Array && Buffer.compare(result, bytes)).toBe(0);
      expect(memory.heldBytes).toBe(bytes.length);
    }
  });

  test("is refused when it is cut off, too large, or finds no room", async () => {
    const packed = pack(LARGE);
    const unpack = (body: Buffer, maxBytes: number, room: number) =>
      createLargeUnpacker().unpack(body, packing, maxBytes, createInFlightBytes(room).open());
    expect(await unpack(packed.subarray(0, -5), MAX, MAX)).toBe("broken");
    expect(await unpack(packed, LARGE.length - 1, MAX)).toMatchObject({ code: "body_too_large" });
    expect(await unpack(packed, LARGE.length, MAX)).toHaveLength(LARGE.length);
    expect(await unpack(packed, MAX, LARGE.length - 1)).toMatchObject({ code: "overloaded" });
    expect(await unpack(packed, MAX, MIB)).toMatchObject({ code: "overloaded", retryAfterSeconds: 5 });
  });
});

test("a bomb takes no more than what is kept, however many there are", async () => {
  const bomb = zlib.gzipSync(Buffer.alloc(50 * MIB));
  const memory = createInFlightBytes(MAX);
  const unpacker = createLargeUnpacker();
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, memory.heldBytes);
  }, 1);
  const results = await Promise.all(
    Array.from({ length: 24 }, async () => {
      const lease = memory.open();
      const result = await unpacker.unpack(bomb, "gzip", 40 * MIB, lease);
      lease.release();
      return result;
    }),
  );
  clearInterval(timer);
  for (const result of results) expect(result).toMatchObject({ code: "body_too_large" });
  expect(peak).toBeGreaterThan(0);
  expect(peak).toBeLessThanOrEqual(2 * 4 * MIB);
});

test("bodies wait in line for one another, and beyond its end they are refused", async () => {
  const body = zlib.gzipSync(LARGE);
  const unpacker = createLargeUnpacker({ atOnce: 1, maxWaiting: 2 });
  const memory = createInFlightBytes(MAX);
  const results = await Promise.all(Array.from({ length: 5 }, () => unpacker.unpack(body, "gzip", MAX, memory.open())));
  expect(results.map((result) => (result instanceof Uint8Array ? result.length : result))).toEqual([
    LARGE.length,
    LARGE.length,
    LARGE.length,
    expect.objectContaining({ code: "overloaded" }),
    expect.objectContaining({ code: "overloaded" }),
  ]);
  expect(await unpacker.unpack(body, "gzip", MAX, memory.open())).toHaveLength(LARGE.length);
});

import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { BlockCompressor } from "./block-compressor.ts";
import { BLOCK_HEADER_BYTES, encodeBlock, parseHeader, payloadInBody, unpack } from "./payload-block.ts";

const BLOCKS = [
  Array.from({ length: 90 }, (_, index) => Buffer.from(`event ${index} `.repeat(900))),
  // Compression makes these no smaller.
  [randomBytes(600_000)],
  [Buffer.from("a".repeat(1_000_000)), Buffer.alloc(0), randomBytes(10_000)],
  Array.from({ length: 2_000 }, (_, index) => Buffer.from(`{"n":${index}}`)),
];

test("each block holds its own payloads, whatever the same compressor had before", async () => {
  const compressor = new BlockCompressor();
  for (const payloads of [...BLOCKS, ...BLOCKS]) {
    const [headerBytes, stored] = (await compressor.encodeBlock(payloads)) as [Buffer, Uint8Array];
    const header = parseHeader(headerBytes);
    const body = header.codec === 0 ? stored : await unpack(stored, header.bodyBytes);
    for (const [index, payload] of payloads.entries()) {
      expect(payload.equals(payloadInBody(body, header.count, index))).toBe(true);
    }
  }
  compressor.close();
});

test("a block is as small as one that was compressed by itself, to a hundredth", async () => {
  const compressor = new BlockCompressor();
  for (const payloads of BLOCKS) {
    const reused = Buffer.concat(await compressor.encodeBlock(payloads));
    const alone = Buffer.concat(await encodeBlock(payloads, null));
    expect(reused.length).toBeLessThanOrEqual(alone.length * 1.01 + BLOCK_HEADER_BYTES);
  }
  compressor.close();
});

test("a compressor that was closed encodes nothing", async () => {
  const compressor = new BlockCompressor();
  compressor.close();
  await expect(compressor.encodeBlock([Buffer.from("x")])).rejects.toThrow();
});

import zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import { createBodyDecoder } from "./decode-body.ts";
import { createInFlightBytes } from "./in-flight-bytes.ts";
import { Refusal } from "./refusal.ts";

const TEXT = '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}\n{"type":"event"}\n{"message":"hi"}\n';
const PLAIN = Buffer.from(TEXT);
const MAX = 10_000_000;

const decodeBody = createBodyDecoder();

async function decode(body: Uint8Array, encoding?: string, maxBytes = MAX, maxInFlight = 1e9) {
  return decodeBody(body, encoding, maxBytes, createInFlightBytes(maxInFlight).open());
}

async function decodeText(body: Uint8Array, encoding?: string): Promise<string> {
  const result = await decode(body, encoding);
  return result instanceof Refusal ? `${result.code}: ${result.detail}` : Buffer.from(result).toString();
}

describe("every encoding", () => {
  test.each([
    ["gzip", zlib.gzipSync(PLAIN)],
    ["x-gzip", zlib.gzipSync(PLAIN)],
    ["GZIP", zlib.gzipSync(PLAIN)],
    ["deflate", zlib.deflateSync(PLAIN)],
    ["deflate", zlib.deflateSync(PLAIN, { windowBits: 9 })],
    ["deflate", zlib.deflateRawSync(PLAIN)],
    ["deflate", zlib.deflateRawSync(PLAIN, { strategy: zlib.constants.Z_FIXED })],
    ["br", zlib.brotliCompressSync(PLAIN)],
    ["zstd", zlib.zstdCompressSync(PLAIN)],
    ["identity", PLAIN],
    ["", PLAIN],
    ["made-up", PLAIN],
    [undefined, PLAIN],
  ])("%s", async (encoding, body) => {
    expect(await decodeText(body, encoding)).toBe(TEXT);
  });
});

describe("headers that are wrong", () => {
  test.each([
    ["gzip without header", undefined, zlib.gzipSync(PLAIN)],
    ["zlib without header", undefined, zlib.deflateSync(PLAIN)],
    ["zstd without header", undefined, zlib.zstdCompressSync(PLAIN)],
    ["gzip said to be identity", "identity", zlib.gzipSync(PLAIN)],
    ["plain said to be gzip", "gzip", PLAIN],
    ["plain said to be deflate", "deflate", PLAIN],
    ["plain said to be brotli", "br", PLAIN],
    ["plain with a byte order mark said to be brotli", "br", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), PLAIN])],
    ["plain said to be zstd", "zstd", PLAIN],
    ["gzip in gzip", "gzip", zlib.gzipSync(zlib.gzipSync(PLAIN))],
    ["zlib in gzip, with both codings named", "deflate, gzip", zlib.gzipSync(zlib.deflateSync(PLAIN))],
  ])("%s", async (_, encoding, body) => {
    expect((await decodeText(body, encoding)).replace("\uFEFF", "")).toBe(TEXT);
  });

  test("two layers are taken off, a third is left", async () => {
    const twice = zlib.gzipSync(zlib.gzipSync(PLAIN));
    const result = await decode(zlib.gzipSync(twice), "gzip");
    expect(result).toEqual(zlib.gzipSync(PLAIN));
  });
});

test.each([
  ["snappy", [0xff, 0x06, 0x00, 0x00, 0x73, 0x4e, 0x61, 0x50, 0x70, 0x59]],
  ["lz4", [0x04, 0x22, 0x4d, 0x18, 0x64, 0x40, 0xa7]],
  ["gzip, compress", [0x1f, 0x9d, 0x90, 0x7b]],
])("a body packed with %s is refused, with the encodings that are read", async (encoding, bytes) => {
  const result = await decode(Uint8Array.from(bytes), encoding);
  expect(result).toMatchObject({ code: "unsupported_encoding", status: 415 });
  expect(result).toMatchObject({
    detail: expect.stringMatching(/ is not supported: send gzip, deflate, br, zstd or none$/),
  });
});

describe("streams of several parts", () => {
  test("all members of a gzip body are read", async () => {
    const half = PLAIN.length >> 1;
    const members = Buffer.concat([zlib.gzipSync(PLAIN.subarray(0, half)), zlib.gzipSync(PLAIN.subarray(half))]);
    expect(await decodeText(members, "gzip")).toBe(TEXT);
  });

  test("a second zstd frame, which Node does not read, is refused rather than lost", async () => {
    const frame = zlib.zstdCompressSync(PLAIN);
    expect(await decodeText(Buffer.concat([frame, frame]), "zstd")).toMatch("malformed_encoding");
    const large = zlib.zstdCompressSync(Buffer.alloc(3_000_000, TEXT));
    expect(await decodeText(Buffer.concat([large, large]), "zstd")).toMatch("malformed_encoding");
  });
});

describe("broken streams", () => {
  test.each([
    ["gzip", zlib.gzipSync(PLAIN)],
    ["deflate", zlib.deflateSync(PLAIN)],
    ["br", zlib.brotliCompressSync(PLAIN)],
    ["zstd", zlib.zstdCompressSync(PLAIN)],
  ])("%s that was cut is malformed", async (encoding, body) => {
    expect(await decodeText(body.subarray(0, body.length - 2), encoding)).toMatch("malformed_encoding");
  });

  test("large ones too", async () => {
    const noise = Buffer.concat(
      Array.from({ length: 4000 }, (_, at) => zlib.crc32(String(at)).toString().padEnd(64, "x")).map((text) =>
        Buffer.from(text),
      ),
    );
    const large = zlib.gzipSync(Buffer.concat([noise, Buffer.alloc(2_000_000, 65)]), { level: 0 });
    expect(await decodeText(large.subarray(0, large.length - 9), "gzip")).toMatch("malformed_encoding");
  });
});

describe("limits", () => {
  const pack = {
    gzip: (body: Buffer) => zlib.gzipSync(body),
    deflate: (body: Buffer) => zlib.deflateSync(body),
    br: (body: Buffer) => zlib.brotliCompressSync(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } }),
    zstd: (body: Buffer) => zlib.zstdCompressSync(body),
  };

  test.each(Object.entries(pack))("%s may grow to the limit and not one byte more", async (encoding, compress) => {
    // On both sides of what is unpacked in place.
    for (const size of [1000, 3_000_000]) {
      const body = compress(Buffer.alloc(size, 65));
      expect(await decode(body, encoding, size)).toHaveLength(size);
      expect(await decode(body, encoding, size - 1)).toMatchObject({ code: "body_too_large" });
    }
  });

  test.each(Object.entries(pack))(
    "a bomb of %s is refused by the limit of memory before it is unpacked",
    async (encoding, compress) => {
      const bomb = compress(Buffer.alloc(50_000_000));
      const bytes = createInFlightBytes(4_000_000);
      const lease = bytes.open();
      expect(await decodeBody(bomb, encoding, 100_000_000, lease)).toMatchObject({ code: "overloaded" });
      expect(bytes.heldBytes).toBeLessThanOrEqual(4_000_000);
      lease.release();
      expect(bytes.heldBytes).toBe(0);
    },
  );

  test("a bomb within a bomb is held to the same limit", async () => {
    const bomb = zlib.gzipSync(zlib.gzipSync(Buffer.alloc(20_000_000)));
    expect(await decode(bomb, "gzip", 1_000_000)).toMatchObject({ code: "body_too_large" });
  });

  test("a zstd frame that asks for a window of 128 MiB is refused", async () => {
    const params = { [zlib.constants.ZSTD_c_windowLog]: 27, [zlib.constants.ZSTD_c_contentSizeFlag]: 0 };
    const stream = zlib.createZstdCompress({ params });
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    const ended = new Promise((resolve) => stream.on("end", resolve));
    stream.write(PLAIN);
    stream.flush(() => stream.end(PLAIN));
    await ended;
    expect(await decode(Buffer.concat(chunks), "zstd")).toMatchObject({ code: "malformed_encoding" });
  });
});

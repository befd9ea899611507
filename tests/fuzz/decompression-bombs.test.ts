import zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import { MIB } from "../../app/domain/bytes.ts";
import { KEYS, startIngestServer } from "../support/ingest-server.ts";
import { createHttpClient } from "./http-request.ts";

const BOMB_BYTES = 512 * MIB;
const limits = { maxEnvelopeBytes: 8 * MIB, maxInFlightBytes: 64 * MIB };

/** Streams zeros through a compressor, because making a bomb must not take the memory that defusing it may not. */
function makeBomb(
  stream: zlib.Gzip | zlib.Deflate | zlib.DeflateRaw | zlib.BrotliCompress | zlib.ZstdCompress,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const block = Buffer.alloc(4 * MIB);
    let left = BOMB_BYTES;
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => resolve(Buffer.concat(chunks)));
    stream.on("error", reject);
    const feed = (): void => {
      while (left > 0) {
        left -= block.length;
        if (!stream.write(block)) {
          stream.once("drain", feed);
          return;
        }
      }
      stream.end();
    };
    feed();
  });
}

const BOMBS: ReadonlyArray<[name: string, encoding: string, make: () => Promise<Buffer>]> = [
  ["gzip", "gzip", () => makeBomb(zlib.createGzip({ level: 9 }))],
  ["gzip without a header", "", () => makeBomb(zlib.createGzip({ level: 1 }))],
  ["zlib", "deflate", () => makeBomb(zlib.createDeflate({ level: 1 }))],
  ["raw deflate", "deflate", () => makeBomb(zlib.createDeflateRaw({ level: 1 }))],
  ["brotli", "br", () => makeBomb(zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2 } }))],
  ["zstd", "zstd", () => makeBomb(zlib.createZstdCompress())],
  ["gzip in gzip", "gzip", async () => zlib.gzipSync(await makeBomb(zlib.createGzip({ level: 1 })))],
];

describe("a bomb of 512 MiB", () => {
  test.each(BOMBS)("in %s is refused within the limit of 8 MiB", async (_, encoding, make) => {
    const body = await make();
    await using server = await startIngestServer({ limits });
    const client = createHttpClient();
    let peakBytes = 0;
    const watch = setInterval(() => {
      peakBytes = Math.max(peakBytes, server.ingest.inFlightBytes);
    }, 1);
    const answer = await client.ask({
      port: server.port,
      method: "POST",
      path: `/api/1/envelope/?sentry_key=${KEYS.open}`,
      headers: encoding === "" ? {} : { "content-encoding": encoding },
      body,
      isChunked: false,
    });
    clearInterval(watch);
    client.close();
    expect(answer).toMatchObject({ status: 413 });
    expect(peakBytes).toBeLessThan(2 * limits.maxEnvelopeBytes + body.length);
    expect(server.ingest.inFlightBytes).toBe(0);
    expect(server.journal.envelopes).toEqual([]);
  });

  test("many at once leave room for others", async () => {
    const body = await makeBomb(zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2 } }));
    await using server = await startIngestServer({ limits });
    const client = createHttpClient();
    const question = {
      port: server.port,
      method: "POST",
      path: `/api/1/envelope/?sentry_key=${KEYS.open}`,
      isChunked: false,
    };
    const bombs = Array.from({ length: 30 }, () =>
      client.ask({ ...question, headers: { "content-encoding": "br" }, body }),
    );
    const event = Buffer.from('{}\n{"type":"event"}\n{}');
    const others = Array.from({ length: 30 }, () => client.ask({ ...question, headers: {}, body: event }));
    for (const answer of await Promise.all(bombs)) {
      expect([413, 503]).toContain(answer === "aborted" ? answer : answer.status);
    }
    for (const answer of await Promise.all(others)) expect(answer).toMatchObject({ status: 200 });
    client.close();
  });
});

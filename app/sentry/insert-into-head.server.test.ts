import { describe, expect, test } from "vitest";
import { insertIntoHead } from "./insert-into-head.server.ts";

const document = "<html><head><title>é</title></head><body></head>text</body></html>";
const expected = "<html><head><title>é</title><meta/></head><body></head>text</body></html>";

function streamOf(bytes: Uint8Array, chunkBytes: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += chunkBytes) controller.enqueue(bytes.subarray(at, at + chunkBytes));
      controller.close();
    },
  });
}

describe("insertIntoHead", () => {
  test("writes before the first end of the head, however the document is cut", async () => {
    const bytes = Buffer.from(document);
    for (const chunkBytes of [1, 7, 33, 1000]) {
      expect(await new Response(insertIntoHead(streamOf(bytes, chunkBytes), "<meta/>")).text()).toBe(expected);
    }
  });

  test("passes a document without a head as it is", async () => {
    expect(await new Response(insertIntoHead(streamOf(Buffer.from("<p>text"), 3), "<meta/>")).text()).toBe("<p>text");
  });

  test("passes what comes after the head before the document ends", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const reader = insertIntoHead(readable, "<meta/>").getReader();
    void writer.write(Buffer.from("<head></head><p>"));
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("<head><meta/></head><p>");
    void writer.write(Buffer.from("late"));
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("late");
  });

  test("stops the rendering when nobody reads any more", async () => {
    let reason: unknown;
    const stream = new ReadableStream<Uint8Array>({
      cancel(given) {
        reason = given;
      },
    });
    await insertIntoHead(stream, "<meta/>").cancel("gone");
    expect(reason).toBe("gone");
  });
});

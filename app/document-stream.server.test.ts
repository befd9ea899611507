import { once } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { createDocumentStream } from "./document-stream.server.ts";

const document = "<html><head><title>é</title></head><body></head>text</body></html>";
const expected = "<html><head><title>é</title><meta/></head><body></head>text</body></html>";

async function pieces(body: ReadableStream<Uint8Array>): Promise<string[]> {
  const texts: string[] = [];
  for await (const piece of body) texts.push(Buffer.from(piece).toString());
  return texts;
}

describe("the document's stream", () => {
  test("writes before the first end of the head, however the document is cut", async () => {
    const bytes = Buffer.from(document);
    for (const length of [1, 7, 33, 1000]) {
      const { input, body } = createDocumentStream("<meta/>");
      for (let at = 0; at < bytes.length; at += length) input.write(bytes.subarray(at, at + length));
      input.end();
      expect(await pieces(body)).toEqual([expected]);
    }
  });

  test("passes a document without a head as it is, and one into which nothing is to be written", async () => {
    for (const [text, html] of [
      ["<p>text", "<meta/>"],
      [document, ""],
    ] as const) {
      const { input, body } = createDocumentStream(html);
      input.end(text);
      expect(await pieces(body)).toEqual([text]);
    }
  });

  test("sends what has been rendered before the rest is", async () => {
    vi.useFakeTimers();
    try {
      const { input, body } = createDocumentStream("<meta/>");
      const reader = body.getReader();
      const next = async () => Buffer.from((await reader.read()).value ?? []).toString();
      input.write("<head>");
      vi.advanceTimersByTime(1_000);
      input.write("</head><p>");
      input.write("text");
      vi.advanceTimersByTime(1_000);
      expect(await next()).toBe("<head><meta/></head><p>text");
      input.write("late");
      vi.advanceTimersByTime(1_000);
      expect(await next()).toBe("late");
      input.end();
      expect((await reader.read()).done).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  test("stops the rendering when nobody reads any more", async () => {
    const { input, body } = createDocumentStream("<meta/>");
    input.write("<head>");
    const closed = once(input, "close");
    await body.cancel();
    await closed;
    expect(input.destroyed).toBe(true);
  });

  test("fails the document when the rendering fails in the middle", async () => {
    const { input, body } = createDocumentStream("");
    input.on("error", () => undefined);
    input.write("<p>");
    input.destroy(new Error("gone wrong"));
    await expect(pieces(body)).rejects.toThrow("gone wrong");
  });
});

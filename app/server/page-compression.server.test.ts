import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createPageCompression } from "./page-compression.server.ts";

const compress = createPageCompression();

function ask(acceptEncoding: string | null, method = "GET"): Request {
  return new Request("http://x.test/", {
    method,
    headers: acceptEncoding === null ? {} : { "accept-encoding": acceptEncoding },
  });
}

function html(body: BodyInit | null, headers: Record<string, string> = {}): Response {
  return new Response(body, { headers: { "content-type": "text/html; charset=utf-8", ...headers } });
}

describe("page compression", () => {
  test("sends a page compressed to a browser that takes it", async () => {
    const response = compress(ask("gzip, deflate, br"), html("<p>hello</p>", { "content-length": "12" }));
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(response.headers.has("content-length")).toBe(false);
    expect(response.headers.get("vary")).toBe("accept-encoding");
    expect(gunzipSync(Buffer.from(await response.arrayBuffer())).toString()).toBe("<p>hello</p>");
  });

  test("sends it as it is to one that does not", async () => {
    for (const accepted of [null, "br", "gzip;q=0", "gzip;q=0.0, br"]) {
      const response = compress(ask(accepted), html("<p>hello</p>"));
      expect(response.headers.has("content-encoding")).toBe(false);
      expect(await response.text()).toBe("<p>hello</p>");
    }
  });

  test("leaves alone what is compressed, pictures, streams of events and answers without a body", () => {
    const cases = [
      html("x", { "content-encoding": "br" }),
      new Response("x", { headers: { "content-type": "image/png" } }),
      new Response("x", { headers: { "content-type": "text/event-stream" } }),
      html("x", { "cache-control": "no-transform" }),
      new Response(null, { status: 204 }),
    ];
    for (const response of cases) expect(compress(ask("gzip"), response)).toBe(response);
    const head = html("x");
    expect(compress(ask("gzip", "HEAD"), head)).toBe(head);
  });

  test("passes on each piece as soon as it is rendered", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const reader = compress(ask("gzip"), html(readable)).body?.getReader();
    void writer.write(Buffer.from("<p>first</p>"));
    const pieces: Uint8Array[] = [];
    // The header of gzip comes as a piece of its own.
    while (Buffer.concat(pieces).length <= 10) pieces.push((await reader?.read())?.value ?? new Uint8Array());
    const text = gunzipSync(Buffer.concat(pieces), { finishFlush: 2 }).toString();
    expect(text).toBe("<p>first</p>");
    await writer.close();
  });

  test("stops the rendering when the browser has gone", async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(Buffer.from("piece")),
      cancel: () => {
        isCancelled = true;
      },
    });
    const reader = compress(ask("gzip"), html(body)).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await expect.poll(() => isCancelled).toBe(true);
  });
});

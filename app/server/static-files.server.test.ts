import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStaticFiles } from "./static-files.server.ts";

const folder = mkdtempSync(join(tmpdir(), "culprit-static-"));
let server: Server;
let url: string;

beforeAll(async () => {
  mkdirSync(join(folder, "assets"));
  mkdirSync(join(folder, ".vite"));
  for (const [name, text] of Object.entries({
    "favicon.svg": "<svg/>",
    "assets/root-abc.js": "export {};",
    "assets/root-abc.js.br": "as brotli",
    "assets/root-abc.js.gz": "as gzip",
    "assets/root-abc.js.map": "{}",
    ".vite/manifest.json": "{}",
  })) {
    writeFileSync(join(folder, name), text);
  }
  const serve = createStaticFiles(folder);
  server = createServer((req, res) => {
    if (!serve(req, res)) res.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** Without the decompression that fetch would do. */
function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
  return fetch(url + path, { method, headers: { "accept-encoding": "identity", ...headers } });
}

describe("static files", () => {
  test("of the build may be kept for ever", async () => {
    const response = await get("/assets/root-abc.js?v=1");
    expect(await response.text()).toBe("export {};");
    expect(response.headers.get("cache-control")).toContain("immutable");
    expect(response.headers.get("content-type")).toContain("text/javascript");
  });

  test("are sent in the best form that the browser takes", async () => {
    const lengthFor = async (accepted: string) =>
      (await get("/assets/root-abc.js", { "accept-encoding": accepted }, "HEAD")).headers.get("content-encoding");
    expect(await lengthFor("gzip, deflate, br")).toBe("br");
    expect(await lengthFor("gzip, br;q=0")).toBe("gzip");
    expect(await lengthFor("zstd")).toBeNull();
  });

  test("answer a conditional request without the content", async () => {
    const etag = (await get("/favicon.svg")).headers.get("etag") ?? "";
    const response = await get("/favicon.svg", { "if-none-match": etag });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe("");
  });

  test("tell the length and nothing else to HEAD", async () => {
    const response = await get("/favicon.svg", {}, "HEAD");
    expect(response.headers.get("content-length")).toBe("6");
    expect(await response.text()).toBe("");
  });

  test("never include source maps or hidden files", async () => {
    expect((await get("/assets/root-abc.js.map")).status).toBe(404);
    expect((await get("/.vite/manifest.json")).status).toBe(418);
    expect((await get("/assets/root-abc.js.br")).status).toBe(404);
  });

  test("of another build are missed quickly, and not remembered as missing", async () => {
    const response = await get("/assets/root-old.js");
    expect(response.status).toBe(404);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("have an icon under the name that browsers guess", async () => {
    expect((await get("/favicon.ico")).headers.get("content-type")).toBe("image/svg+xml");
  });

  test("leave other paths and methods alone", async () => {
    expect((await get("/issues")).status).toBe(418);
    expect((await get("/favicon.svg", {}, "POST")).status).toBe(418);
    expect((await get("/../package.json")).status).toBe(418);
  });
});

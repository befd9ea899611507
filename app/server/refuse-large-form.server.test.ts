import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refuseLargeForm } from "./refuse-large-form.server.ts";

const MAX_BYTES = 1024 * 1024;
const MAX_STRANGERS_BYTES = 16 * 1024;
const server = createServer((req, res) => {
  if (refuseLargeForm(req, res)) return;
  req.resume();
  req.on("end", () => res.end("taken"));
});

beforeAll(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)));
afterAll(() => new Promise((done) => server.close(done)));

function send(method: string, path: string, headers: Record<string, string | number>, body = ""): Promise<number> {
  const { port } = server.address() as AddressInfo;
  return new Promise((done, fail) => {
    const req = request({ port, method, path, headers }, (res) => {
      res.resume();
      done(res.statusCode ?? 0);
    });
    // The server closes while the body is on its way.
    req.on("error", fail);
    if (body === "") req.flushHeaders();
    else req.end(body);
    if (body === "" && method === "GET") req.end();
  });
}

test("a form of the largest size passes, one byte more is refused before it has come", async () => {
  expect(await send("POST", "/theme", { "content-length": MAX_BYTES }, "x".repeat(MAX_BYTES))).toBe(200);
  expect(await send("POST", "/theme", { "content-length": MAX_BYTES + 1 })).toBe(413);
});

test("sign-in and set-up take 16 KiB, however their path is written", async () => {
  const body = "x".repeat(MAX_STRANGERS_BYTES);
  const paths = [
    "/sign-in",
    "/sign-in?to=%2Fissues",
    "/sign-in.data",
    "/SIGN-IN/",
    "/%73ign-in",
    "//sign-in",
    "/set-up",
  ];
  for (const path of paths) {
    expect(await send("POST", path, { "content-length": body.length }, body), path).toBe(200);
    expect(await send("POST", path, { "content-length": body.length + 1 }), path).toBe(413);
  }
  expect(await send("POST", "/sign-in%", { "content-length": body.length + 1 }, `${body}x`)).toBe(200);
});

test("a form that does not say its size is refused", async () => {
  expect(await send("POST", "/sign-in", { "transfer-encoding": "chunked" }, "a=b")).toBe(411);
});

test("pages that are read, and the web API, are none of its business", async () => {
  expect(await send("GET", "/issues", {})).toBe(200);
  const body = "x".repeat(MAX_BYTES + 1);
  expect(await send("POST", "/api/0/organizations/", { "content-length": body.length }, body)).toBe(200);
});

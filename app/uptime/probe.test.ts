import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { parseAssertions } from "../domain/uptime/assertion.ts";
import { CHECKED_HERE, type UptimeSettings, type UptimeTarget } from "../domain/uptime/uptime-monitor.ts";
import { probe } from "./probe.server.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(handler: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const http = (url: string, change: Partial<UptimeTarget & { kind: "http" }> = {}): UptimeTarget => ({
  kind: "http",
  method: "GET",
  url,
  headers: [],
  body: "",
  ...change,
});

function settings(target: UptimeTarget, assertions = "", timeoutMs = 5_000): UptimeSettings {
  const read = parseAssertions(assertions).assertions;
  const rest = { intervalSeconds: 60, certificateDays: null, environment: null, ...CHECKED_HERE };
  return { name: "shop", target, timeoutMs, assertions: read, ...rest };
}

const NEVER = new AbortController().signal;
const check = (asked: UptimeSettings, signal = NEVER) =>
  probe(asked, { now: () => 1_000, signal, isPublic: () => true });

describe("a check", () => {
  test("sends a trace that the server can join, and says what came", async () => {
    let seen: Record<string, unknown> = {};
    const port = await listen((request, response) => {
      seen = request.headers;
      response.end("fine");
    });
    const result = await check(settings(http(`http://127.0.0.1:${port}/`, { headers: [["X-Key", "1"]] })));
    expect(result).toMatchObject({ at: 1_000, reason: null, httpStatus: 200, certificateEndsAt: null });
    expect(seen).toMatchObject({
      "x-key": "1",
      "sentry-trace": expect.stringContaining(result?.traceId ?? "?"),
      traceparent: expect.stringContaining(result?.traceId ?? "?"),
    });
  });

  test("follows redirects, keeps its headers from other servers, and does not run in circles", async () => {
    let key: unknown = "none";
    const other = await listen((request, response) => {
      key = request.headers["x-key"];
      response.end("there");
    });
    const first = await listen((request, response) => {
      const location = request.url === "/circle" ? "/circle" : `http://127.0.0.1:${other}/`;
      response.writeHead(302, { location }).end();
    });
    const ask = (path: string) =>
      check(settings(http(`http://127.0.0.1:${first}${path}`, { headers: [["x-key", "secret"]] }), "body is there"));
    expect(await ask("/")).toMatchObject({ reason: null });
    expect(key).toBeUndefined();
    expect((await ask("/circle"))?.reason).toBe("it redirects more than 5 times");
  });

  test("says why nothing came", async () => {
    const silent = await listen(() => undefined);
    const target = http(`http://127.0.0.1:${silent}/`);
    expect((await check(settings(target, "", 100)))?.reason).toBe("there was no answer within 100 ms");
    const ended = servers.pop();
    ended?.closeAllConnections();
    await new Promise((resolve) => ended?.close(resolve));
    expect((await check(settings(target)))?.reason).toBe("nothing listens there");
    expect((await check(settings({ kind: "tcp", host: "127.0.0.1", port: silent })))?.reason).toBe(
      "nothing listens there",
    );
  });

  test("connects to a host and port", async () => {
    const port = await listen(() => undefined);
    expect(await check(settings({ kind: "tcp", host: "127.0.0.1", port }))).toMatchObject({
      reason: null,
      httpStatus: null,
    });
  });

  test("connects to the next address of a name when the first one does not answer", async () => {
    const port = await listen((_, response) => void response.end());
    const resolve = async () => [
      { address: "::1", family: 6 },
      { address: "127.0.0.1", family: 4 },
    ];
    const options = { now: Date.now, signal: NEVER, isPublic: () => true, resolve };
    for (const target of [http(`http://shop.test:${port}/`), { kind: "tcp", host: "shop.test", port } as const])
      expect((await probe(settings(target), options))?.reason).toBeNull();
  });

  test("ends in time although the name is not found out", async () => {
    const options = { now: Date.now, signal: NEVER, isPublic: () => true, resolve: () => new Promise<never>(() => {}) };
    for (const target of [http("http://shop.test/"), { kind: "tcp", host: "shop.test", port: 80 } as const])
      expect((await probe(settings(target, "", 50), options))?.reason).toBe("there was no answer within 50 ms");
  });

  test("says so when the other side speaks no HTTP, or no TLS", async () => {
    const greeting = createTcpServer((socket) => socket.on("error", () => {}).end("SSH-2.0-OpenSSH\r\n"));
    await new Promise<void>((resolve) => greeting.listen(0, "127.0.0.1", resolve));
    const { port } = greeting.address() as AddressInfo;
    expect((await check(settings(http(`http://127.0.0.1:${port}/`))))?.reason).toBe("it does not speak HTTP");
    const plain = await listen((_, response) => void response.end());
    expect((await check(settings(http(`https://127.0.0.1:${plain}/`))))?.reason).toMatch(/^it does not speak TLS/);
    greeting.close();
  });

  test("reaches no private address, of HTTP or TCP, unless it may", async () => {
    const port = await listen((_, response) => void response.end());
    const reason = "127.0.0.1 is not at a public address";
    const [web, tcp] = [http(`http://127.0.0.1:${port}/`), { kind: "tcp", host: "127.0.0.1", port } as const];
    for (const target of [web, tcp])
      expect((await probe(settings(target), { now: Date.now, signal: NEVER }))?.reason).toBe(reason);
  });

  test("reads the beginning of a body alone, and says nothing once the server stops", async () => {
    const endless = await listen((_, response) => {
      const timer = setInterval(() => response.write("x".repeat(65_536)), 1);
      response.on("close", () => clearInterval(timer));
    });
    const target = http(`http://127.0.0.1:${endless}/`);
    expect((await check(settings(target, "body contains y")))?.reason).toMatch(/in its first 262144 characters$/);
    const ending = new AbortController();
    const silent = await listen(() => undefined);
    const asked = check(settings(http(`http://127.0.0.1:${silent}/`)), ending.signal);
    ending.abort();
    expect(await asked).toBeNull();
  });
});

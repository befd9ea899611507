import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createLog, type Log } from "../log.server.ts";
import { createMetrics } from "./metrics.server.ts";
import { createStatusEndpoints, type StatusEndpoints } from "./status-endpoints.server.ts";

const BUILD = { version: "1.2.3", commit: "0123456789ab" };

let server: Server | undefined;
afterEach(() => server?.close());

async function start(options: Partial<StatusEndpoints> = {}): Promise<string> {
  const metrics = createMetrics(BUILD);
  metrics.refused("too_large", 2);
  const handle = createStatusEndpoints({
    checks: () => ({}),
    build: BUILD,
    renderMetrics: async () => ({ contentType: metrics.contentType, text: await metrics.render() }),
    metricsTokens: ["open-sesame"],
    isStarting: () => false,
    isStopping: () => false,
    delivers: async () => null,
    rebuild: () => null,
    log: createLog({ level: "silent", format: "json" }),
    ...options,
  });
  const listening = createServer((req, res) => {
    if (!handle(req, res)) res.writeHead(418).end();
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

describe("/healthz", () => {
  test("says up and which version runs, whatever the parts say", async () => {
    const url = await start({ checks: () => ({ state: () => Promise.reject(new Error("broken")) }) });
    const response = await fetch(`${url}/healthz`);
    expect([response.status, await response.json()]).toEqual([200, { status: "ok", ...BUILD }]);
  });
});

test("/healthz says that messages do not arrive, and is healthy", async () => {
  const url = await start({ delivers: async () => false });
  expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: "ok", delivery: "failing" });
});

describe("/readyz", () => {
  test("says ready when every part answers", async () => {
    const url = await start({ checks: () => ({ state: () => Promise.resolve() }) });
    const response = await fetch(`${url}/readyz`);
    expect([response.status, await response.json()]).toEqual([200, { status: "ready" }]);
  });

  test("says how far the rebuild of a lost event store is, and is ready", async () => {
    const url = await start({ rebuild: () => ({ step: "restoring", share: 0.12345, rows: 600 }) });
    const response = await fetch(`${url}/readyz`);
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: "ready", rebuild: { step: "restoring", share: 0.123, rows: 600 } },
    ]);
  });

  test("says that it stops, so that a balancer asks another server", async () => {
    const url = await start({ isStopping: () => true });
    const response = await fetch(`${url}/readyz`);
    expect([response.status, await response.json()]).toEqual([503, { status: "stopping", failing: [] }]);
  });

  test("names the parts that do not answer, and keeps the reason to the log", async () => {
    const fail = () => Promise.reject(new Error("password is wrong"));
    const url = await start({ checks: () => ({ state: fail, events: () => undefined, journal: fail }) });
    const response = await fetch(`${url}/readyz`);
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: "unavailable", failing: ["state", "journal"] },
    ]);
  });
});

describe("what /readyz logs", () => {
  function collect() {
    const lines: Array<[message: string, facts: object]> = [];
    const add = (facts: object | string, message?: string) => lines.push([message ?? String(facts), Object(facts)]);
    const log: Log = { debug: add, info: add, warn: add, error: add, child: () => log };
    return { log, lines };
  }
  const ask = async (url: string) => (await (await fetch(`${url}/readyz`)).json()) as unknown;

  test("while the server starts: nothing, and it answers that it starts", async () => {
    const { log, lines } = collect();
    const fail = () => {
      throw new Error("not open yet");
    };
    const url = await start({ log, isStarting: () => true, checks: () => ({ state: () => {}, events: fail }) });
    expect(await ask(url)).toEqual({ status: "starting", failing: ["events"] });
    expect(lines).toEqual([]);
  });

  test("later: one line without a stack when a part begins to fail, and one when it answers again", async () => {
    const { log, lines } = collect();
    let reason: string | null = "the disk is gone";
    const check = () => {
      if (reason !== null) throw new Error(reason);
    };
    const url = await start({ log, checks: () => ({ events: check }) });
    for (let probe = 0; probe < 3; probe++) expect(await ask(url)).toMatchObject({ status: "unavailable" });
    reason = null;
    for (let probe = 0; probe < 3; probe++) expect(await ask(url)).toEqual({ status: "ready" });
    expect(lines).toEqual([
      ["not ready", { check: "events", reason: "the disk is gone" }],
      ["ready again", { check: "events" }],
    ]);
  });
});

describe("/metrics", () => {
  const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  test("are Prometheus text for this machine", async () => {
    const url = await start();
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toContain("culprit_items_accepted_total 0");
    expect(text).toContain('culprit_items_refused_total{reason="too_large"} 2');
    expect(text).toContain("culprit_journal_backlog_records 0");
    expect(text).toMatch(/process_resident_memory_bytes \d+/);
  });

  test("are refused to a request that a proxy passed on, even from this machine", async () => {
    const url = await start();
    const response = await fetch(`${url}/metrics`, { headers: { "x-forwarded-for": "127.0.0.1" } });
    expect(response.status).toBe(401);
  });

  test.each([
    ["x-forwarded-proto", "https"],
    ["x-real-ip", "192.0.2.1"],
    ["via", "1.1 proxy"],
    ["host", "errors.example.com"],
    ["host", "127.0.0.1.evil.test"],
  ])("are refused from this machine with %s: %s, which a proxy may have passed on", async (name, value) => {
    expect(await statusOf(await start(), { [name]: value })).toBe(401);
    expect(await statusOf(await start(), { [name]: value, authorization: "Bearer open-sesame" })).toBe(200);
  });

  test.each(["localhost", "127.0.0.1:3000", "[::1]:3000"])("answer this machine as %s", async (host) => {
    expect(await statusOf(await start(), { host })).toBe(200);
  });

  test("are refused to a wrong token, even from this machine", async () => {
    const url = await start();
    expect((await fetch(`${url}/metrics`, withToken("sesame"))).status).toBe(401);
  });
});

/** Not by fetch, which does not let these headers be set. */
function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((done, fail) => {
    const req = request(`${url}/metrics`, { headers }, (res) => {
      res.resume();
      done(res.statusCode);
    });
    req.once("error", fail).end();
  });
}

describe("other requests", () => {
  test("are left alone", async () => {
    const url = await start();
    expect((await fetch(`${url}/issues`)).status).toBe(418);
    expect((await fetch(`${url}/constructor`)).status).toBe(418);
  });

  test("that would write are refused", async () => {
    const url = await start();
    expect((await fetch(`${url}/healthz`, { method: "POST" })).status).toBe(405);
  });
});

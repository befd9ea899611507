import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createLog } from "../log.server.ts";
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
    trustProxy: false,
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

describe("/readyz", () => {
  test("says ready when every part answers", async () => {
    const url = await start({ checks: () => ({ state: () => Promise.resolve() }) });
    const response = await fetch(`${url}/readyz`);
    expect([response.status, await response.json()]).toEqual([200, { status: "ready" }]);
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

  test("want a token from everyone where a proxy is expected", async () => {
    const url = await start({ trustProxy: true });
    expect((await fetch(`${url}/metrics`)).status).toBe(401);
    expect((await fetch(`${url}/metrics`, withToken("open-sesame"))).status).toBe(200);
  });

  test("are refused to a wrong token, even from this machine", async () => {
    const url = await start();
    expect((await fetch(`${url}/metrics`, withToken("sesame"))).status).toBe(401);
  });
});

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

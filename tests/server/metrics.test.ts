import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_ENVIRONMENTS_OF_MONITOR } from "../../app/domain/monitors/apply-check-ins.ts";
import { projectIdOf, send, sendEnvelope, sumOutcomes, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;

beforeAll(async () => {
  // Its own reports would be counted among what the tests send.
  server = await startServer({ env: { SENTRY_DSN: "off", METRICS_TOKEN: "for-the-collector" } });
});
afterAll(async () => {
  await server?.stop();
});

async function readMetrics(): Promise<Map<string, number>> {
  const response = await fetch(`${server.url}/metrics`);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  const samples = [...(await response.text()).matchAll(/^([a-z_]+(?:\{[^}]*\})?) (\S+)$/gm)];
  return new Map(samples.map(([, name = "", value]) => [name, Number(value)]));
}

test("the metrics count what came, what was turned away and why, and what was stored", async () => {
  const { eventId, envelope } = toEventEnvelope({ message: "counted" });
  await sendEnvelope(server, envelope);
  await sendEnvelope(server, `{}\n{"type":"session"}\n${JSON.stringify(makeSession())}\n`);
  await sendEnvelope(server, "no envelope");
  await waitForEvent(server, eventId);
  // Counts of refusals are journaled a moment later: when the ledger has them, nothing more is to come.
  const project = projectIdOf(server);
  await expect.poll(() => sumOutcomes(server, { project, reason: "malformed_envelope" })).toBe(1);
  await expect.poll(async () => (await readMetrics()).get("culprit_journal_backlog_records")).toBe(0);

  const metrics = await readMetrics();
  expect(metrics.get("culprit_items_accepted_total")).toBe(2);
  expect(metrics.get('culprit_items_refused_total{reason="malformed_envelope"}')).toBe(1);
  expect(metrics.get('culprit_items_stored_total{category="error"}')).toBe(1);
  expect(metrics.get('culprit_items_stored_total{category="session"}')).toBe(1);
  expect(metrics.get("culprit_journal_backlog_bytes")).toBe(0);
  expect(metrics.get("culprit_ingest_request_duration_seconds_count")).toBe(3);
  expect(metrics.get("culprit_digest_batch_duration_seconds_count")).toBeGreaterThan(0);
  expect(metrics.get("culprit_page_request_duration_seconds_count")).toBeGreaterThan(0);
  expect(metrics.get("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
  expect(await sumOutcomes(server, { project, outcome: "accepted" })).toBe(2);
});

test("check-ins that find no room among the monitors are counted", async () => {
  expect((await readMetrics()).get("culprit_monitor_overflow_check_ins")).toBe(0);
  for (let at = 0; at <= MAX_ENVIRONMENTS_OF_MONITOR; at++) {
    const checkIn = { check_in_id: crypto.randomUUID(), monitor_slug: "nightly", status: "ok", environment: `e${at}` };
    await sendEnvelope(server, `{}\n{"type":"check_in"}\n${JSON.stringify(checkIn)}\n`);
  }
  await expect.poll(async () => (await readMetrics()).get("culprit_monitor_overflow_check_ins")).toBe(1);
});

function makeSession() {
  return { sid: crypto.randomUUID(), init: true, started: new Date().toISOString(), attrs: { release: "a@1" } };
}

describe("who may read the metrics", () => {
  const statusOf = (headers: Record<string, string>) =>
    new Promise<number | undefined>((done, fail) => {
      // Not by fetch, which does not let these headers be set.
      const req = request(`${server.url}/metrics`, { headers }, (res) => {
        res.resume();
        done(res.statusCode);
      });
      req.once("error", fail).end();
    });

  test("whoever asks from this machine", async () => {
    expect(await statusOf({})).toBe(200);
  });

  test("nobody by a proxy on this machine, unless with a token", async () => {
    for (const name of ["x-forwarded-for", "forwarded", "via"]) expect(await statusOf({ [name]: "1.2.3.4" })).toBe(401);
    const proxied = { "x-forwarded-for": "1.2.3.4" };
    expect(await statusOf({ ...proxied, authorization: "Bearer for-the-collector" })).toBe(200);
    expect(await statusOf({ ...proxied, authorization: `Bearer ${server.token}` })).toBe(200);
    expect(await statusOf({ ...proxied, authorization: "Bearer guessed" })).toBe(401);
  });

  test("the collector's token opens nothing else", async () => {
    const headers = { authorization: "Bearer for-the-collector" };
    expect((await fetch(`${server.url}/api/0/projects/`, { headers })).status).toBe(401);
    expect((await send(server, "PUT", "/projects/default/shop/", {})).status).toBe(200);
  });
});

import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_ENVIRONMENTS_OF_MONITOR } from "../../app/domain/monitors/apply-check-ins.ts";
import { projectIdOf, send, sendEnvelope, sumOutcomes, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

let server: TestServer;

beforeAll(async () => {
  // Its own reports would be counted among what the tests send.
  server = await startServer({ env: { SENTRY_DSN: "off", METRICS_TOKEN: "for-the-collector" } });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
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

test("the metrics tell what the disk has, how old the backlog is, when retention ran, and processor time as a counter", async () => {
  const metrics = await readMetrics();
  for (const part of ["journal", "state", "events", "payloads"]) {
    expect(metrics.get(`culprit_data_folder_bytes{part="${part}"}`), part).toBeGreaterThan(0);
  }
  expect(metrics.get("culprit_disk_free_bytes")).toBeGreaterThan(0);
  expect(metrics.get("culprit_disk_size_bytes")).toBeGreaterThan(metrics.get("culprit_disk_free_bytes") ?? 0);
  expect(metrics.get("culprit_journal_oldest_record_age_seconds")).toBe(0);
  const text = await (await fetch(`${server.url}/metrics`)).text();
  expect(text).toContain("# TYPE process_cpu_seconds_total counter");
  expect(metrics.get("process_cpu_seconds_total")).toBeGreaterThan(0);
});

test("what is known of the last run of a job is there after a restart", async () => {
  using data = makeTempFolder();
  const name = 'culprit_job_last_success_timestamp_seconds{job="compaction"}';
  const read = async ({ url }: TestServer) => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(
      text
        .split("\n")
        .find((line) => line.startsWith(name))
        ?.slice(name.length),
    );
  };
  const options = { dataDir: data.path, env: { SENTRY_DSN: "off" } };
  const first = await startServer(options);
  await expect.poll(() => read(first)).toBeGreaterThan(0);
  const ranAt = await read(first);
  await first.stop();
  await using second = await startServer(options);
  expect(await read(second)).toBeCloseTo(ranAt, 0);
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

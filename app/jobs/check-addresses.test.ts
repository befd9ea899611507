import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { digestRecords } from "../digest/digest-records.ts";
import { CHECKED_HERE, type UptimeSettings } from "../domain/uptime/uptime-monitor.ts";
import { JournalUnavailableError } from "../journal/journal.ts";
import { SPAN_ROWS } from "../stores/events/span-table.ts";
import { createSqliteStateDatabase } from "../stores/sqlite/sqlite-state-database.ts";
import { EVERYTHING, NOON, openStore } from "../stores/state/contract/fixture.ts";
import { probe } from "../uptime/probe.server.ts";
import { createCheckAddressesJob } from "./check-addresses.ts";

const SETTINGS: Omit<UptimeSettings, "target"> = {
  name: "Shop",
  intervalSeconds: 60,
  timeoutMs: 5_000,
  assertions: [],
  certificateDays: null,
  environment: null,
  ...CHECKED_HERE,
};

/** A server that answers as it is told, and a job that asks it by a clock of the test. */
async function open(logged: unknown[] = []) {
  const shop = { status: 200, isStuck: false, asked: 0, traceparent: "" };
  const server = createServer((request, response) => {
    shop.asked += 1;
    shop.traceparent = String(request.headers.traceparent);
    if (shop.isStuck) return;
    response.statusCode = shop.status;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const store = await openStore(createSqliteStateDatabase);
  const clock = { now: NOON };
  const now = () => clock.now;
  const records: Array<{ sequence: number; bytes: Uint8Array }> = [];
  const disk = { isFull: false };
  const job = createCheckAddressesJob({
    state: store,
    journal: {
      async append(parts) {
        if (disk.isFull)
          throw new JournalUnavailableError({
            reason: "disk-full",
            retryAfterSeconds: 60,
            message: "the disk is full",
          });
        return records.push({ sequence: records.length, bytes: Buffer.concat(parts) });
      },
    },
    probe: (settings, signal) => probe(settings, { now, signal, isPublic: () => true }),
    now,
    log: { error: (...words: unknown[]) => logged.push(words) },
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const target = { kind: "http", method: "GET", url, headers: [], body: "" } as const;
  const monitor = await store.uptime.createUptimeMonitor(EVERYTHING, 1, { ...SETTINGS, target }, NOON);
  if (monitor === null) throw new Error("there was no room for a monitor");
  return {
    shop,
    store,
    monitor,
    records,
    disk,
    now: (afterSeconds: number, signal = new AbortController().signal) => {
      clock.now = NOON + afterSeconds * 1_000;
      return job.run(signal);
    },
    async checks(count: number) {
      await expect.poll(() => store.uptime.listUptimeChecks(EVERYTHING, monitor.id)).toHaveLength(count);
      return (await store.uptime.getUptimeMonitor(EVERYTHING, monitor.id))?.state.status;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await store[Symbol.asyncDispose]();
    },
  };
}

test("asks a real server when it is due, confirms a failure after ten seconds, and sees it come back", async () => {
  await using opened = await open();
  const { shop, store, monitor } = opened;
  expect(await opened.now(0)).toBe("worked");
  expect(await opened.checks(1)).toBe("up");
  expect(await opened.now(59)).toBe("idle");
  shop.status = 503;
  await opened.now(60);
  expect(await opened.checks(2)).toBe("confirming");
  expect(await opened.now(69)).toBe("idle");
  expect(await store.findings.listFindings(10)).toEqual([]);
  await opened.now(70);
  expect(await opened.checks(3)).toBe("down");
  expect((await store.findings.listFindings(10)).map(({ finding }) => finding)).toMatchObject([
    { kind: "trouble", subject: `uptime ${monitor.id}` },
  ]);
  shop.status = 200;
  await opened.now(130);
  expect(await opened.checks(4)).toBe("up");
  expect(await store.uptime.listUptimeOutages(EVERYTHING, monitor.id, 10)).toEqual([
    { startedAt: NOON + 60_000, endedAt: NOON + 130_000, reason: "it answered 503" },
  ]);
  expect(shop.asked).toBe(4);
});

test("each check is a span, the parent of what the asked server does for it, and no client's", async () => {
  await using opened = await open();
  const { shop, store, monitor, records } = opened;
  await opened.now(0);
  await opened.checks(1);
  shop.status = 503;
  await opened.now(60);
  await opened.checks(2);
  const [failed] = await store.uptime.listUptimeChecks(EVERYTHING, monitor.id);
  const { items, outcomes } = digestRecords(records);
  expect(outcomes).toEqual([]);
  expect(items.map(({ outcome }) => outcome)).toMatchObject([
    { category: "uptime", outcome: "accepted", quantity: 1, projectId: 1 },
    { category: "uptime", outcome: "accepted", quantity: 1 },
  ]);
  const cells = items[1]?.rows[0]?.cells ?? [];
  const span = Object.fromEntries(SPAN_ROWS.columns.map(({ name }, index) => [name, cells[index]]));
  expect(span).toMatchObject({
    category: "uptime",
    trace_id: failed?.traceId,
    parent_span_id: null,
    is_segment: 0,
    segment: null,
    op: "uptime.check",
    status: "error",
    service: "Culprit uptime",
    received_at: NOON + 60_000,
  });
  expect(span.name).toMatch(/^GET http:\/\/127\.0\.0\.1:\d+\/$/);
  expect(String(span.attributes)).toContain("it answered 503");
  expect(shop.traceparent).toBe(`00-${span.trace_id}-${span.span_id}-01`);
});

test("a check counts without its span where the journal takes nothing", async () => {
  const logged: unknown[] = [];
  await using opened = await open(logged);
  opened.disk.isFull = true;
  await opened.now(0);
  expect(await opened.checks(1)).toBe("up");
  expect(opened.records).toEqual([]);
  expect(logged).toEqual([]);
});

test("a stop in the middle of a check says nothing of the address, which is asked again", async () => {
  const logged: unknown[] = [];
  await using opened = await open(logged);
  const { shop } = opened;
  shop.isStuck = true;
  const stop = new AbortController();
  await opened.now(0, stop.signal);
  await expect.poll(() => shop.asked).toBe(1);
  stop.abort();
  shop.isStuck = false;
  // Whoever took it has it for a minute.
  expect(await opened.now(59)).toBe("idle");
  expect(await opened.now(60)).toBe("worked");
  expect(await opened.checks(1)).toBe("up");
  expect(logged).toEqual([]);
});

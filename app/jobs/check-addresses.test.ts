import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { UptimeSettings } from "../domain/uptime/uptime-monitor.ts";
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
};

/** A server that answers as it is told, and a job that asks it by a clock of the test. */
async function open(logged: unknown[] = []) {
  const shop = { status: 200, isStuck: false, asked: 0 };
  const server = createServer((_request, response) => {
    shop.asked += 1;
    if (shop.isStuck) return;
    response.statusCode = shop.status;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const store = await openStore(createSqliteStateDatabase);
  const clock = { now: NOON };
  const now = () => clock.now;
  const job = createCheckAddressesJob({
    state: store,
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

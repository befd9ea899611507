import { expect, test } from "vitest";
import { DAY_MS } from "../../../domain/time.ts";
import {
  CHECKED_HERE,
  QUARTER_MS,
  type UptimeCheck,
  type UptimeSettings,
} from "../../../domain/uptime/uptime-monitor.ts";
import type { State } from "../state.ts";
import { MAX_RECENT_CHECKS } from "../uptime-store.ts";
import { type CreateStateDatabase, EVERYTHING, NOON, openStore, scopeOf } from "./fixture.ts";

const SETTINGS: UptimeSettings = {
  name: "Shop",
  target: { kind: "http", method: "GET", url: "https://shop.example/health", headers: [["x-key", "secret"]], body: "" },
  intervalSeconds: 60,
  timeoutMs: 5_000,
  assertions: [],
  certificateDays: 14,
  environment: "production",
  ...CHECKED_HERE,
};

const check = (at: number, reason: string | null = null, certificateEndsAt: number | null = null): UptimeCheck => ({
  at,
  durationMs: 100,
  reason,
  httpStatus: reason === null ? 200 : 503,
  certificateEndsAt,
  traceId: "a".repeat(32),
});

const NOTHING = scopeOf();

async function createMonitor({ uptime }: State, settings: UptimeSettings = SETTINGS) {
  const monitor = await uptime.createUptimeMonitor(EVERYTHING, 1, settings, NOON);
  if (monitor === null) throw new Error("there was no room for a monitor");
  return monitor;
}

async function listSubjects({ findings }: State): Promise<string[]> {
  return (await findings.listFindings(10)).map(({ finding }) => `${finding.kind} ${finding.subject}`);
}

export function describeUptime(createDatabase: CreateStateDatabase): void {
  test("a monitor is due at once, and taken by one at a time", async () => {
    await using store = await openStore(createDatabase);
    const { id } = await createMonitor(store);
    const claim = (now: number) => store.uptimeWork.claimUptimeMonitors({ now, limit: 10, leaseMs: 30_000 });
    expect((await claim(NOON)).map((each) => each.id)).toEqual([id]);
    expect(await claim(NOON)).toEqual([]);
    // The process that took it died.
    expect(await claim(NOON + 30_000)).toHaveLength(1);
  });

  test("a monitor is due when the clock was set back, and then at its pauses", async () => {
    await using store = await openStore(createDatabase);
    const monitor = await createMonitor(store);
    const claim = (now: number) => store.uptimeWork.claimUptimeMonitors({ now, limit: 10, leaseMs: 30_000 });
    expect(await claim(NOON)).toHaveLength(1);
    await store.uptimeWork.saveUptimeCheck(monitor, check(NOON));
    expect(await claim(NOON)).toEqual([]);
    const before = NOON - 3_600_000;
    expect(await claim(before)).toHaveLength(1);
    expect(await claim(before)).toEqual([]);
    await store.uptimeWork.saveUptimeCheck(monitor, check(before));
    expect(await claim(before + 59_999)).toEqual([]);
    expect(await claim(before + 60_000)).toHaveLength(1);
  });

  test("two checks that fail are an outage, which ends with the next good one; each is told once", async () => {
    await using store = await openStore(createDatabase);
    const monitor = await createMonitor(store);
    const save = (each: UptimeCheck) => store.uptimeWork.saveUptimeCheck(monitor, each);
    const read = async () => (await store.uptime.getUptimeMonitor(EVERYTHING, monitor.id))?.state.status;
    await save(check(NOON));
    expect(await read()).toBe("up");
    await save(check(NOON + 60_000, "it answered 503"));
    expect(await read()).toBe("confirming");
    expect(await listSubjects(store)).toEqual([]);
    await save(check(NOON + 70_000, "it answered 503"));
    await save(check(NOON + 130_000, "it answered 503"));
    expect(await read()).toBe("down");
    expect(await listSubjects(store)).toEqual([`trouble uptime ${monitor.id}`]);
    expect(await store.uptime.listUptimeOutages(EVERYTHING, monitor.id, 10)).toEqual([
      { startedAt: NOON + 60_000, endedAt: null, reason: "it answered 503" },
    ]);
    await save(check(NOON + 190_000));
    expect(await read()).toBe("up");
    expect(await store.uptime.listUptimeOutages(EVERYTHING, monitor.id, 10)).toEqual([
      { startedAt: NOON + 60_000, endedAt: NOON + 190_000, reason: "it answered 503" },
    ]);
    const [trouble] = await store.findings.listFindings(10);
    await store.findings.dropFinding(trouble?.position ?? 0);
    expect(await listSubjects(store)).toEqual([`recovery uptime ${monitor.id}`]);
    const quarters = await store.uptime.listUptimeQuarters(EVERYTHING, [monitor.id], 0);
    expect(quarters.get(monitor.id)).toEqual([
      { quarter: Math.floor(NOON / QUARTER_MS), checks: 5, failed: 3, meanMs: 100, maxMs: 100 },
    ]);
    const day = Math.floor(NOON / DAY_MS);
    await save(check(NOON - DAY_MS));
    const days = await store.uptime.listUptimeDays(EVERYTHING, [monitor.id], day - 1);
    expect(days.get(monitor.id)).toEqual([
      { day: day - 1, checks: 1, failed: 0 },
      { day, checks: 5, failed: 3 },
    ]);
    expect((await store.uptime.listUptimeDays(NOTHING, [monitor.id], 0)).size).toBe(0);
  });

  test("an outage ends when nobody checks any more, by pause, another address or deletion", async () => {
    await using store = await openStore(createDatabase);
    const { uptime, uptimeWork } = store;
    const ends: Array<(id: number) => Promise<unknown>> = [
      (id) => uptime.pauseUptimeMonitor(EVERYTHING, id, true, NOON + 100_000),
      (id) =>
        uptime.saveUptimeSettings(
          EVERYTHING,
          id,
          { ...SETTINGS, target: { kind: "tcp", host: "db.example", port: 5432 } },
          NOON + 100_000,
        ),
      (id) => uptime.deleteUptimeMonitor(EVERYTHING, id),
    ];
    for (const end of ends) {
      const monitor = await createMonitor(store);
      await uptimeWork.saveUptimeCheck(monitor, check(NOON, "it answered 503"));
      await uptimeWork.saveUptimeCheck(monitor, check(NOON + 10_000, "it answered 503"));
      await end(monitor.id);
      const [trouble] = await store.findings.listFindings(10);
      await store.findings.dropFinding(trouble?.position ?? 0);
      const [recovery] = await store.findings.listFindings(10);
      expect(recovery?.finding).toMatchObject({ kind: "recovery", subject: `uptime ${monitor.id}` });
      await store.findings.dropFinding(recovery?.position ?? 0);
      // What was asked before the change is not believed.
      await uptimeWork.saveUptimeCheck(monitor, check(NOON + 110_000, "it answered 503"));
      expect((await uptime.getUptimeMonitor(EVERYTHING, monitor.id))?.state.lastCheckAt ?? null).toBeNull();
    }
  });

  test("a certificate that ends soon is told once, and its successor resolves that", async () => {
    await using store = await openStore(createDatabase);
    const monitor = await createMonitor(store);
    const day = 24 * 3_600_000;
    for (const minute of [0, 1, 2])
      await store.uptimeWork.saveUptimeCheck(monitor, check(NOON + minute * 60_000, null, NOON + 10 * day));
    await store.uptimeWork.saveUptimeCheck(monitor, check(NOON + 200_000, null, NOON + 90 * day));
    const [trouble] = await store.findings.listFindings(10);
    expect(trouble?.finding).toMatchObject({ kind: "trouble", subject: `certificate ${monitor.id}`, level: "warning" });
    await store.findings.dropFinding(trouble?.position ?? 0);
    expect(await listSubjects(store)).toEqual([`recovery certificate ${monitor.id}`]);
  });

  test("the newest checks are kept, and who does not see the project sees nothing and changes nothing", async () => {
    await using store = await openStore(createDatabase);
    const monitor = await createMonitor(store);
    for (let index = 0; index < MAX_RECENT_CHECKS + 5; index++)
      await store.uptimeWork.saveUptimeCheck(monitor, check(NOON + index * 60_000));
    const kept = await store.uptime.listUptimeChecks(EVERYTHING, monitor.id);
    expect(kept).toHaveLength(MAX_RECENT_CHECKS);
    expect(kept[0]?.at).toBe(NOON + (MAX_RECENT_CHECKS + 4) * 60_000);
    const { uptime } = store;
    expect(await uptime.listUptimeMonitors(NOTHING, {})).toEqual([]);
    expect(await uptime.getUptimeMonitor(NOTHING, monitor.id)).toBeNull();
    expect(await uptime.listUptimeChecks(NOTHING, monitor.id)).toEqual([]);
    expect(await uptime.listUptimeOutages(NOTHING, monitor.id, 10)).toEqual([]);
    expect((await uptime.listUptimeQuarters(NOTHING, [monitor.id], 0)).size).toBe(0);
    expect(await uptime.createUptimeMonitor(NOTHING, 1, SETTINGS, NOON)).toBeNull();
    expect(await uptime.saveUptimeSettings(NOTHING, monitor.id, SETTINGS, NOON)).toBe(false);
    expect(await uptime.pauseUptimeMonitor(NOTHING, monitor.id, true, NOON)).toBe(false);
    expect(await uptime.deleteUptimeMonitor(NOTHING, monitor.id)).toBe(false);
    expect(await uptime.listUptimeMonitors(EVERYTHING, { text: "SHOP.example" })).toHaveLength(1);
    expect(await uptime.listUptimeMonitors(EVERYTHING, { text: "elsewhere" })).toEqual([]);
  });
}

import { expect, test } from "vitest";
import type { MonitorConfig, Run } from "../monitor.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time.ts";
import { findZoneMismatch } from "./find-zone-mismatch.ts";

const CONFIG: MonitorConfig = {
  schedule: { type: "crontab", value: "0 9 * * *" },
  checkinMargin: 5,
  maxRuntime: null,
  timezone: "UTC",
  failureIssueThreshold: null,
  recoveryThreshold: null,
};
const NINE = Date.UTC(2026, 10, 20, 9);

/** Pings of the last days, newest first, each so much later than due. */
const pings = (offsetsMs: readonly number[], change: Partial<Run> = {}): Run[] =>
  offsetsMs.map((offset, index) => ({
    id: 100 - index,
    checkInId: null,
    status: "ok",
    dueAt: null,
    startedAt: NINE - index * DAY_MS + offset,
    endedAt: null,
    durationMs: null,
    isLate: false,
    release: null,
    traceId: null,
    exitStatus: null,
    output: null,
    ...change,
  }));
const early = (count: number) => Array.from({ length: count }, (_, index) => -7 * HOUR_MS + index * 20_000);

test("three pings with the same offset tell the zone of the job, and it was tried against them", () => {
  expect(findZoneMismatch(CONFIG, pings(early(3)), ["Asia/Bangkok"])).toEqual({
    offsetMinutes: -420,
    pingCount: 3,
    pingAt: NINE - 7 * HOUR_MS,
    dueAt: NINE,
    timezone: "Asia/Bangkok",
  });
  expect(findZoneMismatch(CONFIG, pings(early(8)), [])).toMatchObject({ pingCount: 8 });
  const missed: Run[] = pings([0, 0, 0], { status: "missed", dueAt: NINE });
  expect(findZoneMismatch(CONFIG, [...missed, ...pings(early(4))], ["Asia/Bangkok"])).toMatchObject({ pingCount: 4 });
});

test("hours may be halves and quarters, and the job may be the one in UTC", () => {
  const kathmandu = -(5 * 60 + 45) * MINUTE_MS;
  expect(findZoneMismatch(CONFIG, pings([kathmandu, kathmandu, kathmandu]), [])).toMatchObject({ offsetMinutes: -345 });
  const berlin = { ...CONFIG, timezone: "Europe/Berlin" };
  const runs = pings([0, 0, 0]).map((run) => ({ ...run, isLate: true, dueAt: run.startedAt - HOUR_MS }));
  expect(findZoneMismatch(berlin, runs, [])).toMatchObject({ offsetMinutes: 60, timezone: "UTC" });
});

test("nothing is guessed from few pings, from different offsets, from pings on time, or without a crontab", () => {
  expect(findZoneMismatch(CONFIG, pings(early(2)), [])).toBeNull();
  expect(findZoneMismatch(CONFIG, pings([-7 * HOUR_MS, -6 * HOUR_MS, -7 * HOUR_MS]), [])).toBeNull();
  expect(findZoneMismatch(CONFIG, pings([-7 * HOUR_MS, -7 * HOUR_MS, -7 * HOUR_MS - 12 * MINUTE_MS]), [])).toBeNull();
  expect(findZoneMismatch(CONFIG, pings([0, 0, 0], { dueAt: NINE }), [])).toBeNull();
  expect(findZoneMismatch(null, pings(early(3)), [])).toBeNull();
  const interval = { ...CONFIG, schedule: { type: "interval", value: 1, unit: "day" } } as const;
  expect(findZoneMismatch(interval, pings(early(3)), [])).toBeNull();
});

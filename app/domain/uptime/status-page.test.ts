import { describe, expect, test } from "vitest";
import { DAY_MS } from "../time.ts";
import { firstDayOf, STATUS_PAGE_LIMITS, STATUS_SLUG, toPublicMonitor } from "./status-page.ts";
import { CHECKED_HERE, NO_STATE, type UptimeMonitor } from "./uptime-monitor.ts";

const NOW = Date.UTC(2026, 4, 20, 12);
const monitor = (change: Partial<UptimeMonitor["state"]> = {}, isPaused = false): UptimeMonitor => ({
  id: 1,
  projectId: 1,
  isPaused,
  createdAt: 0,
  nextCheckAt: NOW,
  state: { ...NO_STATE, status: "up", since: 0, lastCheckAt: NOW - 60_000, ...change },
  settings: {
    name: "Shop",
    target: { kind: "http", method: "GET", url: "https://shop.example/health?key=secret#a", headers: [], body: "" },
    intervalSeconds: 60,
    timeoutMs: 1_000,
    assertions: [],
    certificateDays: null,
    environment: null,
    ...CHECKED_HERE,
  },
});
const NOTHING = { days: [], outages: [], showsAddresses: false, now: NOW };

describe("what strangers see of a monitor", () => {
  test.each([
    ["up", {}, false, "up"],
    ["one check that failed", { status: "confirming" }, false, "up"],
    ["down", { status: "down" }, false, "down"],
    ["never asked", { status: "unknown", lastCheckAt: null }, false, "unknown"],
    ["paused", { status: "down" }, true, "unknown"],
    ["not asked for six minutes", { lastCheckAt: NOW - 6 * 60_000 }, false, "unknown"],
  ] as const)("%s", (_, change, isPaused, expected) => {
    expect(toPublicMonitor(monitor(change, isPaused), NOTHING).state).toBe(expected);
  });

  test("neither address nor reason, unless the address is chosen, and then without its query", () => {
    const down = monitor({ status: "down", lastReason: "10.0.0.3 refused the connection" });
    const outages = [{ startedAt: NOW - 5_000, endedAt: null, reason: "10.0.0.3 refused the connection" }];
    const seen = toPublicMonitor(down, { ...NOTHING, outages });
    expect(JSON.stringify(seen)).not.toMatch(/10\.0\.0\.3|shop\.example/);
    expect(seen.outages).toEqual([{ startedAt: NOW - 5_000, endedAt: null }]);
    expect(toPublicMonitor(down, { ...NOTHING, showsAddresses: true }).address).toBe("https://shop.example/health");
  });

  test("each of 90 days, those without checks as unknown, and no older outage", () => {
    const today = Math.floor(NOW / DAY_MS);
    const days = [
      { day: today - STATUS_PAGE_LIMITS.days, checks: 10, failed: 10 },
      { day: today - 1, checks: 4, failed: 1 },
      { day: today, checks: 4, failed: 0 },
    ];
    const old = { startedAt: 0, endedAt: firstDayOf(NOW) * DAY_MS - 1, reason: "it was down" };
    const seen = toPublicMonitor(monitor(), { ...NOTHING, days, outages: [old] });
    expect(seen.days).toHaveLength(90);
    expect(seen.days.slice(-3).map(({ availability }) => availability)).toEqual([null, 0.75, 1]);
    expect(seen.days.at(-1)?.at).toBe(today * DAY_MS);
    expect(seen.availability).toBe(7 / 8);
    expect(seen.outages).toEqual([]);
  });

  test.each([
    ["shop", true],
    ["my-shop-2", true],
    ["ab", false],
    ["-shop", false],
    ["Shop", false],
    ["a/b", false],
    ["x".repeat(64), false],
  ])("the end of an address: %s", (slug, isOne) => expect(STATUS_SLUG.test(slug)).toBe(isOne));
});

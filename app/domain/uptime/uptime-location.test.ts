import { describe, expect, test } from "vitest";
import { applyCheck, type CheckedFrom } from "./apply-check.ts";
import type { DownAt } from "./down-at.ts";
import { HERE, judgePlaces, sayDownAt, toNeeded } from "./uptime-location.ts";
import {
  CHECKED_HERE,
  NO_STATE,
  type UptimeCheck,
  type UptimeMonitor,
  type UptimePlaceState,
  type UptimeSettings,
} from "./uptime-monitor.ts";

const NOW = Date.UTC(2026, 4, 20, 12);
const settings = (locationIds: number[], downAt: DownAt = "most", isCheckedHere = true): UptimeSettings => ({
  name: "Shop",
  target: { kind: "tcp", host: "shop.example", port: 443 },
  intervalSeconds: 60,
  timeoutMs: 1_000,
  assertions: [],
  certificateDays: null,
  environment: null,
  isCheckedHere,
  locationIds,
  downAt,
});
const place = (locationId: number, status: UptimePlaceState["status"], since = NOW): UptimePlaceState => ({
  locationId,
  status,
  since,
  lastCheckAt: NOW,
  lastReason: status === "up" ? null : "it answered 503",
  lastDurationMs: 10,
});
const judge = (asked: UptimeSettings, places: UptimePlaceState[], silent: number[] = []) =>
  judgePlaces(asked, places, new Set(silent))?.status ?? null;

describe("when an address is down", () => {
  test("takes as many places as the rule says, and never more than there are", () => {
    expect([1, 2, 3, 4, 5].map((count) => toNeeded("most", count))).toEqual([1, 2, 2, 3, 3]);
    expect([1, 2, 3].map((count) => toNeeded("all", count))).toEqual([1, 2, 3]);
    expect([1, 2, 3].map((count) => toNeeded(2, count))).toEqual([1, 2, 2]);
  });

  test("one of three places that fails does not make it down by most, and does by any", () => {
    const places = [place(HERE, "up"), place(1, "down"), place(2, "up")];
    expect(judge(settings([1, 2]), places)).toBe("up");
    expect(judge(settings([1, 2], 1), places)).toBe("down");
    expect(judge(settings([1, 2], "all"), places)).toBe("up");
  });

  test("places that have failed once are confirmed first, if they would decide", () => {
    expect(judge(settings([1, 2]), [place(HERE, "up"), place(1, "down"), place(2, "confirming")])).toBe("confirming");
    expect(judge(settings([1, 2]), [place(HERE, "up"), place(1, "up"), place(2, "confirming")])).toBe("up");
  });

  test("a silent location says nothing, neither up nor down", () => {
    const places = [place(1, "down"), place(2, "down"), place(HERE, "up")];
    expect(judge(settings([1, 2]), places)).toBe("down");
    expect(judge(settings([1, 2]), places, [1])).toBe("up");
    expect(judge(settings([1, 2]), places, [1, 2])).toBe("up");
    expect(judge(settings([1, 2], "most", false), places, [1, 2])).toBeNull();
  });

  test("a place that has not checked yet counts as one that does not find it down", () => {
    expect(judge(settings([1, 2]), [place(HERE, "down")])).toBe("up");
    expect(judge(settings([1, 2]), [])).toBeNull();
  });

  test("a place that checks it no more does not count", () => {
    expect(judge(settings([1]), [place(1, "down"), place(2, "down")])).toBe("up");
  });

  test("it is down since as many places as it takes had begun to fail", () => {
    const places = [place(1, "down", NOW - 5_000), place(2, "down", NOW - 9_000), place(HERE, "down", NOW - 1_000)];
    expect(judgePlaces(settings([1, 2]), places, new Set())?.downSince).toBe(NOW - 5_000);
  });

  test("the rule is said in words", () => {
    expect(sayDownAt(settings([]))).toContain("its place finds it down twice in a row");
    expect(sayDownAt(settings([1, 2]))).toContain("more than half of its 3 places (2) find");
    expect(sayDownAt(settings([1, 2], 2))).toContain("at least 2 of its 3 places find");
    expect(sayDownAt(settings([1], 2))).toContain("all of its 2 places find");
    expect(sayDownAt(settings([1], 1))).toContain("any of its 2 places finds");
  });
});

describe("checks of several places", () => {
  const monitor = (asked: UptimeSettings, state = NO_STATE): UptimeMonitor => ({
    id: 7,
    projectId: 1,
    settings: asked,
    isPaused: false,
    createdAt: NOW,
    state,
    nextCheckAt: NOW,
  });
  const from = (locationId: number, silent: number[] = []): CheckedFrom => ({
    locationId,
    silent: new Set(silent),
    names: new Map([[1, "Frankfurt"]]),
  });
  const seen = (at: number, reason: string | null): UptimeCheck => ({
    at,
    durationMs: 10,
    reason,
    httpStatus: null,
    certificateEndsAt: null,
    traceId: "a".repeat(32),
  });
  function run(
    asked: UptimeSettings,
    checks: Array<[locationId: number, afterSeconds: number, reason: string | null]>,
  ) {
    let state = NO_STATE;
    return checks.map(([locationId, afterSeconds, reason]) => {
      const check = seen(NOW + afterSeconds * 1_000, reason);
      const applied = applyCheck(monitor(asked, state), check, from(locationId));
      state = applied.state;
      return applied;
    });
  }

  test("each confirms for itself, and the issue names those that find it down", () => {
    const steps = run(settings([1]), [
      [HERE, 0, null],
      [1, 0, "no answer"],
      [1, 10, "no answer"],
      [HERE, 60, "no answer"],
      [HERE, 70, "it answered 503"],
    ]);
    expect(steps.map(({ state }) => state.status)).toEqual(["up", "up", "up", "confirming", "down"]);
    expect(steps.at(-1)?.opened).toEqual({ startedAt: NOW + 60_000, endedAt: null, reason: "it answered 503" });
    expect(steps.flatMap(({ findings }) => findings)).toMatchObject([
      {
        message: "Shop is down: it answered 503",
        contexts: { uptime: { places: "2 of 2 find it down: Frankfurt, This server" } },
      },
    ]);
    // What one place alone saw says nothing of the address.
    expect(steps.map(({ isCounted }) => isCounted)).toEqual([true, false, false, true, true]);
    expect(steps.map(({ nextCheckAt }) => (nextCheckAt - NOW) / 1_000)).toEqual([60, 10, 70, 70, 130]);
  });

  test("it is up again as soon as too few places find it down", () => {
    const steps = run(settings([1]), [
      [1, 0, "no answer"],
      [HERE, 0, "no answer"],
      [1, 10, "no answer"],
      [HERE, 10, "no answer"],
      [1, 70, null],
    ]);
    expect(steps.map(({ state }) => state.status)).toEqual(["up", "confirming", "confirming", "down", "up"]);
    expect(steps.at(-1)?.closedAt).toBe(NOW + 70_000);
    expect(steps.at(-1)?.state.lastReason).toBeNull();
  });

  test("a location that checks again is heard of, though it was silent", () => {
    const applied = applyCheck(monitor(settings([1], "most", false)), seen(NOW, null), from(1, [1]));
    expect(applied.state.status).toBe("up");
  });

  test("one place decides as it did before there were others", () => {
    const steps = run({ ...settings([]), ...CHECKED_HERE }, [
      [HERE, 0, "no answer"],
      [HERE, 10, "no answer"],
    ]);
    expect(steps.map(({ state }) => state.status)).toEqual(["confirming", "down"]);
    expect(steps.at(-1)?.findings[0]).not.toHaveProperty("contexts.uptime.places");
  });
});

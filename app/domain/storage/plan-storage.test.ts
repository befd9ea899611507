import { describe, expect, test } from "vitest";
import { type StoredSignal, toCutoffs } from "../stored-signal.ts";
import { DAY_MS } from "../time.ts";
import { planStorage } from "./plan-storage.ts";
import type { StorageFacts, StoredDay } from "./storage-facts.ts";

const TODAY = 20_000;
const NOW = TODAY * DAY_MS + DAY_MS / 2;

/** Ten days of 100 errors and 50 replays, today included: 1,500 bytes in a folder of 2,000. */
const DAYS: StoredDay[] = Array.from({ length: 10 }, (_, index) => TODAY - 9 + index).flatMap((day) => [
  { day, signal: "errors" as const, bytes: 100 },
  { day, signal: "replays" as const, bytes: 50 },
]);

function plan(change: Partial<StorageFacts> = {}) {
  return planStorage({
    now: NOW,
    usedBytes: 2_000,
    rowBytes: 0,
    freeBytes: 1_000_000,
    reserveBytes: 0,
    maxBytes: null,
    days: DAYS,
    retentionDays: toCutoffs(() => 90),
    ...change,
  });
}

const inWords = (days: ReadonlyArray<{ day: number; signal: StoredSignal | null }>) =>
  days.map(({ day, signal }) => `${signal} of ${day - TODAY}`);

describe("the plan of the data folder", () => {
  test("deletes nothing while there is room", () => {
    const { due, upcoming, fullAt, growthBytes, limitedBy, isTooSmall, dueCutoffs, ageCutoffs } = plan();
    expect([due, upcoming, isTooSmall, limitedBy]).toEqual([[], [], false, "disk"]);
    expect(growthBytes).toBe(150);
    // 91 days of 150 bytes are all that there ever is.
    expect(fullAt).toBeNull();
    expect(dueCutoffs).toEqual(toCutoffs(() => 0));
    expect(ageCutoffs.errors).toBe(NOW - 90 * DAY_MS);
  });

  test("keeps a day's growth free: the oldest day goes first, and errors last of a day", () => {
    const { due, limitBytes, dropAboveBytes, dueCutoffs, limitedBy } = plan({ maxBytes: 1_900 });
    expect([limitBytes, dropAboveBytes, limitedBy]).toEqual([1_900, 1_750, "setting"]);
    expect(inWords(due)).toEqual(["replays of -9", "errors of -9", "replays of -8", "errors of -8"]);
    expect(due.every(({ reason, at }) => reason === "space" && at === TODAY * DAY_MS)).toBe(true);
    expect(dueCutoffs.replays).toBe((TODAY - 7) * DAY_MS);
    expect(dueCutoffs.logs).toBe(0);
  });

  test("never deletes today, and says when that is not enough", () => {
    const { due, isTooSmall, dueCutoffs } = plan({ maxBytes: 600 });
    expect(due).toHaveLength(18);
    expect(isTooSmall).toBe(true);
    expect(Math.max(...Object.values(dueCutoffs))).toBe(TODAY * DAY_MS);
  });

  test("keeps within the disk, less the reserve", () => {
    const { limitBytes, limitedBy, due } = plan({ freeBytes: 200, reserveBytes: 400, maxBytes: 5_000 });
    expect([limitBytes, limitedBy]).toEqual([1_800, "disk"]);
    expect(inWords(due)).toHaveLength(5);
  });

  test("announces what goes in the next days, and why", () => {
    const { due, upcoming, fullAt } = plan({ maxBytes: 2_500 });
    expect(due).toEqual([]);
    // 2,000 + 3 × 150 is above 2,350 on the third day from now.
    expect(upcoming[0]).toEqual({
      day: TODAY - 9,
      signal: "replays",
      bytes: 50,
      at: (TODAY + 3) * DAY_MS,
      reason: "space",
    });
    expect(upcoming.every(({ day }) => day <= TODAY)).toBe(true);
    expect(fullAt).toBe((TODAY + 4) * DAY_MS);
  });

  test("announces what gets too old, each signal by its own retention", () => {
    const { upcoming, ageCutoffs } = plan({ retentionDays: { ...toCutoffs(() => 90), replays: 9 } });
    expect(
      upcoming.slice(0, 2).map(({ at, reason, ...each }) => [...inWords([each]), at / DAY_MS - TODAY, reason]),
    ).toEqual([
      ["replays of -9", 1, "age"],
      ["replays of -8", 2, "age"],
    ]);
    expect(ageCutoffs.replays).toBe(NOW - 9 * DAY_MS);
  });

  test("retention that makes room in time is not a reason to delete more", () => {
    const retentionDays = toCutoffs(() => 9);
    const { upcoming, fullAt } = plan({ maxBytes: 2_400, retentionDays });
    expect(new Set(upcoming.map(({ reason }) => reason))).toEqual(new Set(["age"]));
    expect(fullAt).toBeNull();
  });

  test("files of earlier versions go as a whole, after the other files of their day", () => {
    const days: StoredDay[] = [
      { day: TODAY - 2, signal: null, bytes: 500 },
      { day: TODAY - 2, signal: "errors", bytes: 100 },
      { day: TODAY - 1, signal: "errors", bytes: 100 },
    ];
    const { due, dueCutoffs } = plan({ days, usedBytes: 1_000, maxBytes: 1_000 });
    expect(inWords(due)).toEqual(["errors of -2", "null of -2"]);
    expect(Object.values(dueCutoffs).every((cutoff) => cutoff === (TODAY - 1) * DAY_MS)).toBe(true);
  });

  test("a folder without anything has no growth and is never full", () => {
    expect(plan({ days: [], usedBytes: 100 })).toMatchObject({ growthBytes: 0, fullAt: null, upcoming: [], due: [] });
  });

  test("on its first day a folder grows by what has come, with its rows", () => {
    const days: StoredDay[] = [{ day: TODAY, signal: "errors", bytes: 400 }];
    expect(plan({ days, rowBytes: 100 }).growthBytes).toBe(500);
    expect(plan({ days, rowBytes: 9_999 }).growthBytes).toBe(800);
  });

  test("the files of a day go together", () => {
    const twice = DAYS.flatMap((each) => [each, { ...each, bytes: each.bytes / 2 }]);
    const { due } = plan({ days: twice, usedBytes: 2_750, maxBytes: 2_900 });
    expect(due).toMatchObject([{ day: TODAY - 9, signal: "replays", bytes: 75 }]);
  });

  test("a folder above its limit is full now", () => {
    expect(plan({ maxBytes: 1_500 }).fullAt).toBe(NOW);
  });
});

import { expect, test } from "vitest";
import { planStorage } from "../../domain/storage/plan-storage.ts";
import type { StoredDay } from "../../domain/storage/storage-facts.ts";
import type { StorageState } from "../../domain/storage/storage-state.ts";
import type { LostDay } from "../../domain/storage/storage-watch.ts";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { DAY_MS } from "../../domain/time.ts";
import { sayStorageNews } from "./say-storage-news.ts";

const NOW = Date.UTC(2026, 10, 22, 12);
const TODAY = Math.floor(NOW / DAY_MS);
const DAYS: StoredDay[] = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].flatMap((ago) => [
  { day: TODAY - ago, signal: "errors" as const, bytes: 100 },
  { day: TODAY - ago, signal: "replays" as const, bytes: 50 },
]);

function stateOf(maxBytes: number, days = 90): StorageState {
  const retention = { days, signalDays: toCutoffs(() => days) };
  const plan = planStorage({
    now: NOW,
    usedBytes: 2_000,
    rowBytes: 0,
    freeBytes: 1e9,
    reserveBytes: 0,
    maxBytes,
    days: DAYS,
    retentionDays: retention.signalDays,
  });
  return { usedBytes: 2_000, freeBytes: 1e9, sizeBytes: 1e9, parts: [], signals: [], retention, plan };
}

test("a day that goes for lack of space is announced, with what it has", () => {
  expect(sayStorageNews(stateOf(2_450), [], NOW)).toEqual({
    title: "On Nov 25, this will be deleted: Replays and errors of Nov 13",
    text: "The data folder would be full otherwise. More days go after that.",
  });
});

test("a folder that can not be made small enough is said to be full", () => {
  expect(sayStorageNews(stateOf(500), [], NOW)?.title).toBe("The data folder is nearly full");
});

test("room, and what goes by its age, is no news", () => {
  expect(sayStorageNews(stateOf(100_000), [], NOW)).toBeNull();
  expect(sayStorageNews(stateOf(100_000, 9), [], NOW)).toBeNull();
  expect(sayStorageNews(null, [], NOW)).toBeNull();
});

test("days whose file is damaged are named, before what will be deleted", () => {
  const lost = (ago: number, signal: "logs" | "spans"): LostDay => ({
    ...{ day: TODAY - ago, signal, name: "a file", rows: 10, isLogged: false },
  });
  const title = (...days: LostDay[]) => sayStorageNews(null, days, NOW)?.title;
  expect(title(lost(2, "logs"))).toBe("Logs of Nov 20 are missing: its file is damaged");
  expect(title(lost(2, "logs"), lost(2, "spans"))).toBe(
    "Logs and spans of Nov 20 are missing: their files are damaged",
  );
  expect(title(lost(2, "logs"), lost(4, "logs"))).toBe(
    "Logs of 2 days from Nov 18 to Nov 20 are missing: their files are damaged",
  );
  const both = sayStorageNews(stateOf(500), [lost(2, "logs")], NOW);
  expect(both?.title).toContain("Logs of Nov 20");
  expect(both?.text).toContain("The data folder is nearly full.");
});

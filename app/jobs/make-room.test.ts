import { expect, test } from "vitest";
import { planStorage } from "../domain/storage/plan-storage.ts";
import type { StoredDay } from "../domain/storage/storage-facts.ts";
import { type Cutoffs, toCutoffs } from "../domain/stored-signal.ts";
import { DAY_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";
import { createMakeRoomJob } from "./make-room.ts";

const TODAY = 20_000;
const NOW = TODAY * DAY_MS + 1;

/** A folder that gets smaller as payloads are dropped. */
function start(maxBytes: number) {
  let days: StoredDay[] = [3, 2, 1, 0].map((ago) => ({ day: TODAY - ago, signal: "errors" as const, bytes: 100 }));
  const messages: string[] = [];
  const reasons: string[] = [];
  const say = (facts: object | string, message?: string) => void messages.push(message ?? String(facts));
  const log: Log = { debug: say, info: say, warn: say, error: say, child: () => log };
  const measure = async () =>
    planStorage({
      now: NOW,
      usedBytes: days.reduce((sum, { bytes }) => sum + bytes, 100),
      rowBytes: 0,
      freeBytes: 1e9,
      reserveBytes: 0,
      maxBytes,
      days,
      retentionDays: toCutoffs(() => 90),
    });
  const job = createMakeRoomJob(
    {
      state: {
        expirations: {
          expiredUpTo: async () => toCutoffs(() => 0),
          dropOldExamples: async () => 0,
          noteExpired: async ({ counts }) => void reasons.push(...counts.map(({ reason }) => reason)),
        },
      },
      events: {
        countExpired: async ({ errors }: Cutoffs) =>
          errors > NOW - 90 * DAY_MS ? [{ projectId: 1, category: "error", quantity: 1 }] : [],
        dropBefore: async () => 1,
      },
      payloads: {
        dropBefore: async ({ errors }) => {
          days = days.filter(({ day }) => (day + 1) * DAY_MS > errors);
          return 100;
        },
      },
    },
    { measure, log, now: () => NOW },
  );
  return {
    run: () => job.run(new AbortController().signal),
    days: () => days.map(({ day }) => day - TODAY),
    messages,
    reasons,
  };
}

test("does nothing while there is room", async () => {
  const { run, days, messages } = start(1_000);
  expect([await run(), days(), messages]).toEqual(["idle", [-3, -2, -1, 0], []]);
});

test("deletes the oldest days until there is room, and counts them with the reason", async () => {
  const { run, days, messages, reasons } = start(500);
  expect([await run(), days()]).toEqual(["worked", [-2, -1, 0]]);
  expect(messages).toContain("the data folder is nearly full: its oldest days are deleted");
  expect(reasons).toEqual(["disk_space"]);
  expect(await run()).toBe("idle");
});

test("says once that a folder is too small for a day, and keeps today", async () => {
  const { run, days, messages } = start(150);
  await run();
  await run();
  expect(days()).toEqual([0]);
  expect(messages.filter((message) => message.includes("MAX_DISK_BYTES"))).toHaveLength(1);
});

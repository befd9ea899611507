import { expect, test } from "vitest";
import type { OutcomeCount } from "../domain/outcome.ts";
import { type Cutoffs, toCutoffs } from "../domain/stored-signal.ts";
import { DAY_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";
import type { ExpirationStore } from "../stores/state/expiration-store.ts";
import { createCleanUpJob } from "./clean-up.ts";
import { createRetentionJob } from "./retention.ts";

const now = 200 * DAY_MS;

function start({ isEventStoreBroken = false } = {}) {
  const calls: string[] = [];
  const logged: Array<[level: string, facts: object]> = [];
  const write = (level: string) => (facts: object | string) => {
    logged.push([level, typeof facts === "string" ? {} : facts]);
  };
  const log: Log = {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    child: () => log,
  };
  const drop = (name: string, count: number) => async (before: number | Cutoffs) => {
    const words =
      typeof before === "number"
        ? `day ${before / DAY_MS}`
        : `days ${[...new Set(Object.values(before))].map((instantMs) => instantMs / DAY_MS).join(" and ")}`;
    calls.push(`${name} before ${words}`);
    if (isEventStoreBroken && name === "events") throw new Error("the disk is full");
    return count;
  };
  let expiredUpTo: Cutoffs = toCutoffs(() => 0);
  const noted: OutcomeCount[] = [];
  const expirations: ExpirationStore = {
    expiredUpTo: async () => expiredUpTo,
    dropOldExamples: drop("examples", 0),
    noteExpired: async ({ cutoffs, counts }) => {
      expiredUpTo = cutoffs;
      noted.push(...counts);
    },
  };
  const countExpired = async (upTo: Cutoffs, since: Cutoffs) => {
    const days = (upTo.errors - since.errors) / DAY_MS;
    return days > 0 ? [{ projectId: 1, category: "error", quantity: days }] : [];
  };
  const retention = createRetentionJob(
    {
      state: { dropBefore: drop("counts", 3), expirations },
      events: { dropBefore: drop("events", 5), countExpired },
      payloads: { dropBefore: drop("payloads", 1000) },
    },
    {
      retention: { days: 90, signalDays: { ...toCutoffs(() => 90), logs: 14 } },
      log,
      now: () => now,
    },
  );
  const cleanUp = createCleanUpJob(
    {
      state: {
        people: { deleteExpiredSessions: drop("sessions", 0) },
        expirations,
        audit: { dropEntries: drop("audit", 0) },
      },
      chunks: { dropBefore: drop("chunks", 7) },
    },
    { log, now: () => now },
  );
  return { retention, cleanUp, calls, logged, noted };
}

const { signal } = new AbortController();

test("deletes what is older than its days, rows before payloads, and says how much", async () => {
  const { retention, calls, logged } = start();
  expect(await retention.run(signal)).toBe("worked");
  expect(calls).toEqual([
    "events before days 110 and 186",
    "payloads before days 110 and 186",
    "counts before day 110",
  ]);
  expect(logged).toEqual([["info", { counted: 110, events: 5, payloadBytes: 1000, counts: 3 }]]);
});

test("counts what goes as expired, once", async () => {
  const { retention, noted } = start();
  await retention.run(signal);
  await retention.run(signal);
  expect(noted).toEqual([
    { projectId: 1, category: "error", outcome: "expired", reason: "retention", quantity: 110, receivedAt: now },
  ]);
});

test("goes on with the other stores when one fails, and fails in the end", async () => {
  const { retention, calls } = start({ isEventStoreBroken: true });
  await expect(retention.run(signal)).rejects.toThrow("events: the disk is full");
  expect(calls).toHaveLength(3);
});

test("begins no further step once it is told to end", async () => {
  const { retention, calls } = start();
  expect(await retention.run(AbortSignal.abort())).toBe("idle");
  expect(calls).toEqual([]);
});

test("cleaning up deletes chunks of a day ago, and sessions that have ended", async () => {
  const { cleanUp, calls, logged } = start();
  expect(await cleanUp.run(signal)).toBe("worked");
  expect(calls).toEqual([
    "chunks before day 199",
    "examples before day 200",
    "sessions before day 200",
    "audit before day -530",
  ]);
  expect(logged).toEqual([["info", { uploadChunks: 7 }]]);
});

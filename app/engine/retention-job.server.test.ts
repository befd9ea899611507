import { expect, test } from "vitest";
import type { Log } from "../log.server.ts";
import { startRetentionJob } from "./retention-job.server.ts";

const DAY_MS = 86_400_000;
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
  const drop = (name: string, count: number) => async (instantMs: number) => {
    calls.push(`${name} before day ${instantMs / DAY_MS}`);
    if (isEventStoreBroken && name === "events") throw new Error("the disk is full");
    return count;
  };
  const job = startRetentionJob(
    {
      state: { dropBefore: drop("counts", 3), people: { deleteExpiredSessions: drop("sessions", 0) } },
      events: { dropBefore: drop("events", 5) },
      payloads: { dropBefore: drop("payloads", 1000) },
      chunks: { dropBefore: drop("chunks", 7) },
    },
    { retentionDays: 90, log, now: () => now },
  );
  return { job, calls, logged };
}

test("deletes what is older than its days, rows before payloads, and says how much", async () => {
  const { job, calls, logged } = start();
  await job.run();
  expect(calls).toEqual([
    "events before day 110",
    "payloads before day 110",
    "counts before day 110",
    "chunks before day 199",
    "sessions before day 200",
  ]);
  expect(logged).toEqual([["info", { events: 5, payloadBytes: 1000, counts: 3, uploadChunks: 7 }]]);
  await job.close();
});

test("goes on with the other stores when one fails, and logs why", async () => {
  const { job, calls, logged } = start({ isEventStoreBroken: true });
  await job.run();
  expect(calls).toHaveLength(5);
  expect(logged[0]?.[0]).toBe("error");
  expect(logged[0]?.[1]).toMatchObject({ what: "events" });
  await job.close();
});

test("runs once for all who ask while it runs", async () => {
  const { job, calls } = start();
  await Promise.all([job.run(), job.run()]);
  expect(calls).toHaveLength(5);
  await job.close();
});

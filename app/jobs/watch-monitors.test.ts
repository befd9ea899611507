import { expect, test } from "vitest";
import type { Downtime } from "../domain/monitors/watch-runs.ts";
import { createWatchMonitorsJob } from "./watch-monitors.ts";

const { signal } = new AbortController();

function open() {
  const clock = { wall: 1_000_000_000, monotonic: 0 };
  const alive: Array<{ at: number; isJump: boolean | undefined }> = [];
  const asked: number[] = [];
  const planned: number[] = [];
  let oldestWaitsSince: number | null = null;
  const job = createWatchMonitorsJob({
    monitorWatch: {
      noteAlive: async (at, { isJump } = {}): Promise<Downtime | null> => {
        alive.push({ at, isJump });
        return null;
      },
      watchMonitors: async (asOf) => {
        asked.push(asOf);
        return 0;
      },
      planAgain: async (at) => void planned.push(at),
    },
    journal: { stats: () => ({ oldestWaitsSince }) },
    now: () => clock.wall,
    monotonic: () => clock.monotonic,
    log: { warn: () => {} },
  });
  return {
    clock,
    alive,
    asked,
    planned,
    wait: (since: number | null) => {
      oldestWaitsSince = since;
    },
    run: async (passedMs: number, jumpMs = 0) => {
      clock.wall += passedMs + jumpMs;
      clock.monotonic += passedMs;
      return job.run(signal);
    },
  };
}

test("a sign of life is written every twenty seconds, not with every look", async () => {
  const { alive, run } = open();
  for (let at = 0; at < 9; at++) expect(await run(5_000)).toBe("idle");
  expect(alive).toHaveLength(3);
});

test("a clock that is set forward is a time without a watch, and one that is set back is planned again", async () => {
  const { alive, planned, run, clock } = open();
  await run(5_000);
  await run(5_000, 3_600_000);
  expect(alive.at(-1)).toEqual({ at: clock.wall, isJump: true });
  expect(planned).toEqual([]);
  await run(5_000, -7_200_000);
  expect(alive.at(-1)).toEqual({ at: clock.wall, isJump: false });
  expect(planned).toEqual([clock.wall]);
});

test("time is looked at only up to what the digest has applied", async () => {
  const { asked, run, wait, clock } = open();
  await run(5_000);
  expect(asked).toEqual([clock.wall - 5_000]);
  wait(clock.wall - 60_000);
  await run(5_000);
  expect(asked.at(-1)).toBe(clock.wall - 5_000 - 60_000 - 1);
});

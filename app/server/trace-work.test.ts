import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FinishedWork } from "../sentry/monitoring.server.ts";
import { createWorkTraces, MIN_JOB_MS } from "./trace-work.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const OWN = 1;
const WINDOW_MS = 60_000;

function start(windowMs = WINDOW_MS) {
  const recorded: FinishedWork[] = [];
  const traces = createWorkTraces({ record: (work) => recorded.push(work), ownProjectId: () => OWN, windowMs });
  const batch = (durationMs: number, projectIds: number[]) =>
    traces.batchEnded({
      times: { beganAt: 1000, mappedAt: 1010, commitBeganAt: 1020, endedAt: 1000 + durationMs },
      projectIds,
      records: durationMs,
      bytes: 5,
    });
  return { recorded, traces, batch };
}

test("of the batches of some seconds, the slowest is recorded with its parts", () => {
  const { recorded, batch } = start();
  batch(40, [2]);
  batch(70, [OWN, 2]);
  batch(50, [3]);
  expect(recorded).toEqual([]);
  vi.advanceTimersByTime(WINDOW_MS);
  expect(recorded).toMatchObject([
    {
      op: "digest.batch",
      startedAt: 1000,
      endedAt: 1070,
      attributes: { "digest.records": 70 },
      parts: [
        { op: "digest.map", startedAt: 1000, endedAt: 1010 },
        { op: "digest.commit", startedAt: 1020, endedAt: 1070 },
      ],
    },
  ]);
  vi.advanceTimersByTime(10 * WINDOW_MS);
  batch(30, [2]);
  vi.advanceTimersByTime(WINDOW_MS);
  expect(recorded).toHaveLength(2);
});

test("a batch of our own reports makes no report again", () => {
  const { recorded, batch } = start();
  batch(90, [OWN]);
  batch(90, []);
  vi.advanceTimersByTime(WINDOW_MS);
  expect(recorded).toEqual([]);
});

test("runs of jobs that took a while or failed are recorded", () => {
  const { recorded, traces } = start();
  traces.jobEnded({ name: "roll-up", durationMs: MIN_JOB_MS - 1, isFailed: false, endedAt: 5000 });
  traces.jobEnded({ name: "retention", durationMs: 200, isFailed: false, endedAt: 5000 });
  traces.jobEnded({ name: "deliver", durationMs: 1, isFailed: true, endedAt: 6000 });
  expect(recorded).toMatchObject([
    { name: "retention", op: "job", startedAt: 4800, endedAt: 5000, isFailed: false },
    { name: "deliver", isFailed: true },
  ]);
});

test("nothing is recorded where nothing is wanted", () => {
  const { recorded, traces, batch } = start(0);
  batch(90, [2]);
  traces.jobEnded({ name: "retention", durationMs: 200, isFailed: true, endedAt: 5000 });
  vi.advanceTimersByTime(WINDOW_MS);
  expect(recorded).toEqual([]);
});

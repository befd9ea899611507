import { expect, test } from "vitest";
import { type MetricMonitor, type MetricSettings, NO_METRIC_STATE } from "../domain/metrics/metric-monitor.ts";
import type { Condition } from "../domain/search/condition.ts";
import type { EventFilter } from "../stores/events/error-events.ts";
import type { MetricLook } from "../stores/state/metric-store.ts";
import { createWatchMetricsJob } from "./watch-metrics.ts";

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 4, 20, 12);
const SETTINGS: MetricSettings = {
  name: "Errors",
  dataset: "errors",
  figure: "count()",
  query: "",
  environment: "production",
  windowMinutes: 5,
  comparison: "none",
  direction: "above",
  critical: 10,
  warning: null,
  recovery: null,
};

function open(settings: Partial<MetricSettings> = {}) {
  const monitor: MetricMonitor = {
    id: 7,
    projectId: 3,
    settings: { ...SETTINGS, ...settings },
    isPaused: false,
    createdAt: NOON,
    state: NO_METRIC_STATE,
    nextAt: NOON,
  };
  const clock = { now: NOON, monotonic: 0, takesMs: 0 };
  const looks: MetricLook[] = [];
  const asked: EventFilter[] = [];
  let oldestWaitsSince: number | null = null;
  const askedSessions: Array<Condition | undefined> = [];
  let latest: { version: string } | null = { version: "shop@2.3.1" };
  let failure: Error | null = null;
  let unstored = new Map<number, number>();
  const unused = () => {
    throw new Error("not asked");
  };
  const job = createWatchMetricsJob({
    state: {
      metricWork: {
        listDueMetricMonitors: async (upTo) => (monitor.nextAt <= upTo ? [{ ...monitor }] : []),
        listDowntimes: async () => [],
        saveMetricLooks: async (all) => {
          looks.push(...all);
          monitor.nextAt = all.at(-1)?.nextAt ?? monitor.nextAt;
          return 0;
        },
      },
      releases: { findVersions: async () => [], getLatestRelease: async () => latest } as never,
      volumes: { listLeftOut: async () => unstored },
    },
    events: {
      sumEvents: async (filter, { by }) => {
        if (by.length > 0) {
          // Of the ten stored events of issue 8, four fit.
          const count = filter.where ? 4 : 10;
          return [{ group: ["8"], at: null, events: count, users: 1, issues: 1, firstAt: 0, lastAt: 0 }];
        }
        asked.push(filter);
        clock.monotonic += clock.takesMs;
        if (failure) throw failure;
        return [{ group: [], at: null, events: 4, users: 2, issues: 1, firstAt: 0, lastAt: 0 }];
      },
      sumFoundSpans: unused,
      summarizeLogs: unused,
      countSessions: async ({ where }) => {
        askedSessions.push(where);
        const tally = { total: 200, errored: 9, crashed: 5, abnormal: 0, unhandled: 0 };
        return [{ projectId: null, release: null, environment: null, at: null, sessions: tally, users: tally }];
      },
    },
    journal: { stats: () => ({ oldestWaitsSince }) },
    now: () => clock.now,
    monotonic: () => clock.monotonic,
    log: { error: () => {} },
  });
  return {
    clock,
    looks,
    asked,
    askedSessions,
    release: (version: string | null) => {
      latest = version === null ? null : { version };
    },
    run: (afterMs: number) => {
      clock.now = NOON + afterMs;
      return job.run(new AbortController().signal);
    },
    wait: (since: number | null) => {
      oldestWaitsSince = since;
    },
    leaveOut: (counts: Array<[issueId: number, count: number]>) => {
      unstored = new Map(counts);
    },
    fail: (error: Error) => {
      failure = error;
    },
  };
}

test("a window is evaluated 15 seconds after its end, once, and missed ones are not made up for", async () => {
  const { run, looks, asked } = open();
  expect(await run(14_000)).toBe("idle");
  expect(await run(16_000)).toBe("worked");
  expect(await run(50_000)).toBe("idle");
  await run(5 * MINUTE + 20_000);
  expect(looks.map(({ reading }) => reading.at)).toEqual([NOON, NOON + 5 * MINUTE]);
  expect(asked[0]).toMatchObject({ projectIds: [3], from: NOON - 5 * MINUTE, to: NOON });
  expect(looks[0]?.reading).toMatchObject({ value: 4, problem: null, knownShare: 1 });
});

test("a record that waits for its digest holds back the windows it could be in", async () => {
  const { run, looks, wait } = open();
  wait(NOON - 1_000);
  expect(await run(10 * MINUTE)).toBe("idle");
  wait(NOON + 3 * MINUTE + 1_000);
  await run(10 * MINUTE);
  expect(looks.map(({ reading }) => reading.at)).toEqual([NOON + 3 * MINUTE]);
});

test("what takes long is looked at less often, so that others have their turn", async () => {
  const { run, looks, clock } = open();
  clock.takesMs = 6_000;
  await run(20_000);
  expect(looks[0]?.nextAt).toBe(NOON + 2 * MINUTE);
});

test("long windows are some minutes apart", async () => {
  const { run, looks } = open({ windowMinutes: 240 });
  await run(20_000);
  expect(looks[0]?.nextAt).toBe(NOON + 5 * MINUTE);
});

test("a week before is read for a comparison", async () => {
  const { run, looks, asked } = open({ comparison: "week" });
  await run(20_000);
  const week = 7 * 24 * 60 * MINUTE;
  expect(asked.map(({ to }) => to)).toEqual([NOON, NOON - week]);
  expect(looks[0]?.reading).toMatchObject({ value: 4, baseline: 4 });
});

test("a question that fails is said in words and does not end the job", async () => {
  const { run, looks, fail } = open();
  fail(new Error("no memory"));
  expect(await run(20_000)).toBe("worked");
  expect(looks[0]?.reading).toMatchObject({ value: null, problem: expect.stringContaining("could not be read") });
});

test("errors that were counted and not stored are in the figure: all of them, or the share of each issue that fits", async () => {
  const ofAll = open({ environment: null });
  ofAll.leaveOut([
    [8, 50],
    [9, 6],
  ]);
  await ofAll.run(16_000);
  expect(ofAll.looks[0]?.reading.value).toBe(4 + 56);
  const narrowed = open();
  narrowed.leaveOut([
    [8, 50],
    [9, 6],
  ]);
  await narrowed.run(16_000);
  // 40 % of issue 8; nothing is stored of issue 9.
  expect(narrowed.looks[0]?.reading.value).toBe(4 + 20);
  const users = open({ figure: "count_unique(user)" });
  users.leaveOut([[8, 50]]);
  await users.run(16_000);
  expect(users.looks[0]?.reading.value).toBe(2);
});

test("sessions are those of the release that is the latest at each look", async () => {
  const latest = { dataset: "sessions", figure: "crash_rate(session)", query: "release:latest" } as const;
  const { run, looks, askedSessions, release } = open({ ...latest, environment: null });
  await run(16_000);
  release("shop@2.4.0");
  await run(MINUTE + 16_000);
  release(null);
  await run(2 * MINUTE + 16_000);
  expect(looks.map(({ reading }) => reading.release)).toEqual(["shop@2.3.1", "shop@2.4.0", null]);
  expect(looks[0]?.reading).toMatchObject({ value: 2.5, count: 200 });
  const released = (values: string[]) =>
    expect.objectContaining({ field: "release", test: { kind: "in", values }, isNegated: false });
  expect(askedSessions).toEqual([released(["shop@2.3.1"]), released(["shop@2.4.0"]), released([])]);
});

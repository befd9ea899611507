import { expect, test } from "vitest";
import type { MonitorConfig } from "../../../domain/monitor.ts";
import {
  type AppliedCheckIn,
  MAX_ENVIRONMENTS_OF_MONITOR,
  MAX_MONITORS_OF_PROJECT,
} from "../../../domain/monitors/apply-check-ins.ts";
import type { Scope } from "../../../domain/scope.ts";
import { MAX_OUTPUTS, MAX_RUNS } from "../monitor-store.ts";
import type { State } from "../state.ts";
import {
  type CreateStateDatabase,
  createProject,
  EVERYTHING,
  JOURNAL,
  NO_DETAILS,
  NOON,
  openStore,
  scopeOf,
} from "./fixture.ts";

const CONFIG: MonitorConfig = {
  schedule: { type: "interval", value: 2, unit: "hour" },
  checkinMargin: 5,
  maxRuntime: null,
  timezone: "Europe/Berlin",
  failureIssueThreshold: null,
  recoveryThreshold: 1,
};

function checkIn(sequence: number, change: Partial<AppliedCheckIn> = {}): AppliedCheckIn {
  return {
    sequence,
    projectId: 1,
    slug: "nightly",
    environment: "production",
    status: "ok",
    ...NO_DETAILS,
    receivedAt: NOON + sequence,
    ...change,
  };
}

async function apply(store: State, checkIns: AppliedCheckIn[]): Promise<void> {
  const upTo = Math.max(0, ...checkIns.map(({ sequence }) => sequence + 1));
  await store.batches.applyBatch({ journalId: JOURNAL, upTo, occurrences: [], outcomes: [], checkIns });
}

type Query = Parameters<State["monitors"]["listMonitors"]>[1];
const ALL: Query = { cursor: null, limit: 100 };
const list = async (store: State, { scope = EVERYTHING, ...change }: Partial<Query> & { scope?: Scope } = {}) =>
  (await store.monitors.listMonitors(scope, { ...ALL, ...change })).monitors;

export function describeMonitors(createDatabase: CreateStateDatabase): void {
  test("a check-in makes its monitor, and the next ones say how it goes", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, [checkIn(1, { status: "in_progress", config: CONFIG })]);
    const made = {
      id: expect.any(Number),
      projectId: 1,
      slug: "nightly",
      name: null,
      config: CONFIG,
      isMuted: false,
      keepsZone: false,
      createdAt: NOON + 1,
      environments: [
        {
          name: "production",
          createdAt: NOON + 1,
          lastCheckInAt: NOON + 1,
          lastStatus: "in_progress",
          lastFinishedStatus: null,
          isPaused: false,
          state: "waiting",
          nextDueAt: expect.any(Number),
          troubleAt: null,
        },
      ],
    };
    expect(await list(store)).toEqual([made]);
    await apply(store, [checkIn(2, { status: "ok" }), checkIn(3, { status: "error" })]);
    await apply(store, [checkIn(4, { status: "in_progress" })]);
    const [environment] = made.environments;
    expect(await list(store)).toEqual([
      {
        ...made,
        environments: [
          {
            ...environment,
            lastCheckInAt: NOON + 4,
            lastStatus: "in_progress",
            lastFinishedStatus: "error",
            state: "error",
            troubleAt: NOON + 3,
          },
        ],
      },
    ]);
  });

  test("a batch that comes again changes nothing", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, [checkIn(1), checkIn(2, { slug: "hourly" })]);
    const before = await list(store);
    await apply(store, [checkIn(1, { status: "error" }), checkIn(2, { slug: "other", config: CONFIG })]);
    expect(await list(store)).toEqual(before);
  });

  test("monitors are of a project, with environments of their own", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, [
      checkIn(1, { environment: "staging", status: "error" }),
      checkIn(2, { projectId: 2 }),
      checkIn(3),
      checkIn(4, { slug: "hourly" }),
    ]);
    expect((await list(store)).map(({ projectId, slug }) => `${projectId} ${slug}`)).toEqual([
      "1 hourly",
      "1 nightly",
      "2 nightly",
    ]);
    expect(await list(store, { scope: scopeOf(2) })).toMatchObject([{ projectId: 2 }]);
    expect(await list(store, { scope: scopeOf() })).toEqual([]);
    expect(await list(store, { text: "HOUR" })).toMatchObject([{ slug: "hourly" }]);
    const [nightly] = await list(store, { scope: scopeOf(1), text: "nightly" });
    expect(nightly?.environments).toMatchObject([
      { name: "production", lastStatus: "ok" },
      { name: "staging", lastStatus: "error", createdAt: NOON + 1 },
    ]);
    const staged = await list(store, { environments: ["staging", "x"] });
    expect(staged).toMatchObject([{ slug: "nightly", environments: [{ name: "staging" }] }]);
    expect(staged[0]?.environments).toHaveLength(1);
    const page = await store.monitors.listMonitors(EVERYTHING, { ...ALL, limit: 2 });
    expect(await list(store, { cursor: page.nextCursor })).toMatchObject([{ projectId: 2 }]);
  });

  test("what finds no room is counted", async () => {
    await using store = await openStore(createDatabase);
    const many = Array.from({ length: MAX_MONITORS_OF_PROJECT }, (_, index) => checkIn(index, { slug: `m${index}` }));
    await apply(store, many);
    expect((await store.monitors.listMonitors(EVERYTHING, ALL)).overflows).toEqual([]);
    await apply(store, [
      checkIn(5000, { slug: "late" }),
      checkIn(5001, { slug: "late" }),
      checkIn(5002, { slug: "m1", config: CONFIG }),
      checkIn(5003, { slug: "later", projectId: 2 }),
    ]);
    const { overflows } = await store.monitors.listMonitors(scopeOf(1), ALL);
    expect(overflows).toEqual([{ projectId: 1, checkInCount: 2, lastSlug: "late", lastAt: NOON + 5001 }]);
    expect(await list(store, { text: "late" })).toMatchObject([{ slug: "later", projectId: 2 }]);
    expect(await list(store, { text: "m1", limit: 1 })).toMatchObject([{ slug: "m1", config: CONFIG }]);
    const environments = Array.from({ length: MAX_ENVIRONMENTS_OF_MONITOR + 3 }, (_, index) =>
      checkIn(6000 + index, { slug: "later", projectId: 2, environment: `e${index}` }),
    );
    await apply(store, environments);
    const second = await store.monitors.listMonitors(scopeOf(2), ALL);
    expect(second.monitors[0]?.environments).toHaveLength(MAX_ENVIRONMENTS_OF_MONITOR);
    // One of the hundred is there already.
    expect(second.overflows).toMatchObject([{ projectId: 2, checkInCount: 4, lastSlug: "later" }]);
  });

  test("runs are kept with what their check-ins said, and a missed one becomes an issue in the same transaction", async () => {
    await using store = await openStore(createDatabase);
    const config = { ...CONFIG, schedule: { type: "interval", value: 10, unit: "minute" } } as const;
    const id = "a".repeat(32);
    await apply(store, [
      checkIn(1, { status: "in_progress", checkInId: id, config, release: "shop@1" }),
      checkIn(2, { status: "error", checkInId: id, exitStatus: 3, output: "no space left", durationMs: 1500 }),
    ]);
    const [monitor] = await list(store);
    const runs = (scope = EVERYTHING) => store.monitors.listRuns(scope, monitor?.id ?? 0, { before: null, limit: 10 });
    expect(await runs()).toMatchObject([
      {
        environment: "production",
        checkInId: id,
        status: "error",
        startedAt: NOON + 1,
        endedAt: NOON + 2,
        durationMs: 1500,
        exitStatus: 3,
        output: "no space left",
        release: "shop@1",
        isLate: false,
      },
    ]);
    expect(await runs(scopeOf(2))).toEqual([]);
    const began = (from: number, to: number) =>
      store.monitors.listRuns(EVERYTHING, monitor?.id ?? 0, { before: null, from, to, limit: 10 });
    expect(await began(NOON + 1, NOON + 2)).toHaveLength(1);
    expect(await began(NOON + 2, NOON + 9)).toEqual([]);
    expect(await began(NOON, NOON + 1)).toEqual([]);
    expect(await store.findings.listFindings(10)).toMatchObject([
      { finding: { kind: "trouble", message: "nightly failed", environment: "production" } },
    ]);
    const dueAt = NOON + 1 + 10 * 60_000;
    expect(await store.monitorWatch.watchMonitors(dueAt + 60_000 - 1, 10)).toBe(0);
    expect(await store.monitorWatch.watchMonitors(dueAt + 6 * 60_000, 10)).toBe(1);
    expect(await store.monitorWatch.watchMonitors(dueAt + 6 * 60_000, 10)).toBe(0);
    expect(await runs()).toMatchObject([{ status: "missed", dueAt, startedAt: dueAt }, { status: "error" }]);
    await apply(store, [checkIn(3, { receivedAt: dueAt + 400_000 })]);
    expect(await runs()).toMatchObject([{ status: "ok", isLate: true, dueAt }, { status: "error" }]);
    expect((await store.findings.listFindings(10)).map(({ finding }) => finding.kind)).toEqual(["trouble"]);
    const ticks = await store.monitors.listTicks(EVERYTHING, [monitor?.id ?? 0], NOON - 1);
    expect(ticks.get(monitor?.id ?? 0)).toEqual([
      { at: NOON, status: "error", count: 1 },
      { at: NOON + 900_000, status: "late", count: 1 },
    ]);
    expect((await store.monitors.listTicks(scopeOf(2), [monitor?.id ?? 0], 0)).size).toBe(0);
  });

  test("the output of the newest runs is kept, and no more runs than the bound", async () => {
    await using store = await openStore(createDatabase);
    await apply(
      store,
      Array.from({ length: MAX_RUNS + 40 }, (_, index) => checkIn(index, { output: `line ${index}` })),
    );
    const [monitor] = await list(store);
    let before: number | null = null;
    const kept: Array<string | null> = [];
    for (;;) {
      const page = await store.monitors.listRuns(EVERYTHING, monitor?.id ?? 0, { before, limit: 1000 });
      if (page.length === 0) break;
      kept.push(...page.map(({ output }) => output));
      before = page.at(-1)?.id ?? null;
    }
    expect(kept.length).toBeLessThanOrEqual(MAX_RUNS);
    expect(kept.filter((output) => output !== null)).toHaveLength(MAX_OUTPUTS);
    expect(kept[0]).toBe(`line ${MAX_RUNS + 39}`);
  });

  test("runs are summed by status and steps of time", async () => {
    await using store = await openStore(createDatabase);
    const minute = 60_000;
    await apply(store, [checkIn(0, { durationMs: 2_000 }), checkIn(minute, { durationMs: 4_000 })]);
    await apply(store, [checkIn(2 * minute, { status: "error" })]);
    await apply(store, [checkIn(61 * minute, { environment: "staging" })]);
    const [monitor] = await list(store);
    const sum = (query: { environment?: string; from: number; to: number }, scope = EVERYTHING) =>
      store.monitors.sumRuns(scope, monitor?.id ?? 0, { stepMs: 60 * minute, ...query });
    const all = { from: NOON - minute, to: NOON + 90 * minute };
    expect(await sum(all)).toEqual([
      { at: NOON - minute, status: "error", count: 1, timedCount: 0, durationMs: 0 },
      { at: NOON - minute, status: "ok", count: 2, timedCount: 2, durationMs: 6_000 },
      { at: NOON + 59 * minute, status: "ok", count: 1, timedCount: 0, durationMs: 0 },
    ]);
    expect(await sum({ ...all, environment: "staging" })).toMatchObject([{ status: "ok", count: 1 }]);
    expect(await sum({ from: NOON + 1, to: NOON + 2 * minute })).toMatchObject([{ status: "ok", count: 1 }]);
    expect(await sum(all, scopeOf(2))).toEqual([]);
  });

  test("what was due while the server was down is unknown, and nobody is told", async () => {
    await using store = await openStore(createDatabase);
    const config = { ...CONFIG, schedule: { type: "interval", value: 10, unit: "minute" } } as const;
    expect(await store.monitorWatch.noteAlive(NOON)).toBeNull();
    await apply(store, [checkIn(0, { config })]);
    expect(await store.monitorWatch.noteAlive(NOON + 60_000)).toBeNull();
    const up = NOON + 25 * 60_000;
    expect(await store.monitorWatch.noteAlive(up)).toEqual({ from: NOON + 60_000, to: up });
    expect(await store.monitors.listDowntimes(NOON)).toEqual([{ from: NOON + 60_000, to: up }]);
    await store.monitorWatch.watchMonitors(NOON + 27 * 60_000, 10);
    const [monitor] = await list(store);
    const runs = await store.monitors.listRuns(EVERYTHING, monitor?.id ?? 0, { before: null, limit: 10 });
    expect(runs.map(({ status }) => status)).toEqual(["unknown", "unknown", "ok"]);
    expect(await store.findings.listFindings(10)).toEqual([]);
    await store.monitorWatch.planAgain(NOON);
    expect((await list(store))[0]?.environments[0]?.nextDueAt).toBe(NOON + 10 * 60_000);
  });

  test("no downtime is left in a time that comes again after the clock was set back", async () => {
    await using store = await openStore(createDatabase);
    const { monitorWatch, monitors } = store;
    const day = 24 * 60 * 60_000;
    await monitorWatch.noteAlive(NOON);
    await monitorWatch.noteAlive(NOON + 8 * day, { isJump: true });
    await monitorWatch.noteAlive(NOON + 9 * day, { isJump: true });
    expect(await monitors.listDowntimes(0)).toHaveLength(2);
    const back = NOON + 60_000;
    expect(await monitorWatch.noteAlive(back, { isJump: true })).toBeNull();
    expect(await monitors.listDowntimes(0)).toEqual([{ from: NOON, to: back }]);
  });

  test("people make monitors, change, pause and delete them; those in trouble come first", async () => {
    await using store = await openStore(createDatabase);
    const project = await createProject(store, "shop");
    const scope = scopeOf(project);
    const create = (slug: string, change = {}) =>
      store.monitors.createMonitor(scope, {
        projectId: project,
        slug,
        name: null,
        config: CONFIG,
        at: NOON,
        ...change,
      });
    const made = await create("made");
    if (!made.ok) throw new Error("it was not made");
    expect(made.monitor).toMatchObject({ slug: "made", config: CONFIG, environments: [] });
    expect(await create("made")).toEqual({ ok: false, reason: "taken" });
    expect(await create("x", { projectId: project + 1 })).toEqual({ ok: false, reason: "not-found" });
    await apply(store, [
      checkIn(1, { projectId: project, slug: "made" }),
      checkIn(2, { projectId: project, slug: "broken", status: "error", config: CONFIG }),
      checkIn(3, { projectId: project, slug: "also", config: CONFIG }),
    ]);
    const byState = async (text = "") => {
      const page = await store.monitors.listByState(scope, { text, offset: 0, limit: 10 });
      return { ...page, monitors: page.monitors.map(({ slug }) => slug) };
    };
    expect(await byState()).toEqual({ monitors: ["broken", "also", "made"], total: 3, byState: { error: 1, ok: 2 } });
    const { id } = made.monitor;
    expect(await store.monitors.pause(scope, id, { environment: null, isPaused: true, at: NOON })).toBe(true);
    expect(await store.monitors.pause(scope, id, { environment: "nowhere", isPaused: true, at: NOON })).toBe(false);
    expect((await byState("made")).byState).toEqual({ paused: 1 });
    expect((await store.monitors.getMonitor(scope, { projectId: project, slug: "made" }))?.environments).toMatchObject([
      { isPaused: true, nextDueAt: null },
    ]);
    expect(await store.monitorWatch.watchMonitors(NOON + 1e10, 10)).toBe(2);
    expect(await store.monitors.listRuns(scope, id, { before: null, limit: 9 })).toHaveLength(1);
    await store.monitors.pause(scope, id, { environment: "production", isPaused: false, at: NOON });
    const hourly = { ...CONFIG, schedule: { type: "crontab", value: "@hourly" } } as const;
    const changed = await store.monitors.changeMonitor(scope, id, {
      config: hourly,
      name: "Made",
      isMuted: true,
      at: NOON,
    });
    expect(changed).toMatchObject({
      ok: true,
      monitor: { name: "Made", isMuted: true, environments: [{ nextDueAt: NOON + 3_600_000 }] },
    });
    // That the time zone is right holds until there is another schedule, by hand or by a check-in.
    const keep = async (change: Parameters<typeof store.monitors.changeMonitor>[2]) => {
      const kept = await store.monitors.changeMonitor(scope, id, change);
      return kept.ok && kept.monitor.keepsZone;
    };
    expect(await keep({ keepsZone: true, at: NOON })).toBe(true);
    expect(await keep({ name: "Still", at: NOON })).toBe(true);
    expect(await keep({ config: { ...hourly, timezone: "Asia/Kolkata" }, at: NOON })).toBe(false);
    expect(await store.monitors.changeMonitor(scope, id, { slug: "also", at: NOON })).toEqual({
      ok: false,
      reason: "taken",
    });
    expect(await store.monitors.changeMonitor(scopeOf(), id, { slug: "b", at: NOON })).toEqual({
      ok: false,
      reason: "not-found",
    });
    // Muted: its troubles are no issues.
    await store.monitorWatch.watchMonitors(NOON + 5 * 3_600_000, 10);
    const subjects = (await store.findings.listFindings(99)).map(({ finding }) => finding.subject);
    expect(subjects.filter((subject) => subject === `cron ${id} production`)).toEqual([]);
    expect(await store.monitors.deleteMonitor(scopeOf(), id, NOON)).toBe(false);
    expect(await store.monitors.deleteMonitor(scope, id, NOON)).toBe(true);
    expect(await store.monitors.getMonitor(scope, { projectId: project, slug: "made" })).toBeNull();
  });
}

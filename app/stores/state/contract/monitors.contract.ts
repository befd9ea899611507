import { expect, test } from "vitest";
import type { MonitorConfig } from "../../../domain/monitor.ts";
import {
  type AppliedCheckIn,
  MAX_ENVIRONMENTS_OF_MONITOR,
  MAX_MONITORS_OF_PROJECT,
} from "../../../domain/monitors/apply-check-ins.ts";
import type { Scope } from "../../../domain/scope.ts";
import type { State } from "../state.ts";
import { type CreateStateDatabase, EVERYTHING, JOURNAL, NOON, openStore, scopeOf } from "./fixture.ts";

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
    config: null,
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
      config: CONFIG,
      createdAt: NOON + 1,
      environments: [
        {
          name: "production",
          createdAt: NOON + 1,
          lastCheckInAt: NOON + 1,
          lastStatus: "in_progress",
          lastFinishedStatus: null,
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
          { ...environment, lastCheckInAt: NOON + 4, lastStatus: "in_progress", lastFinishedStatus: "error" },
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
}

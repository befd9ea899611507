import { expect, test } from "vitest";
import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import type { RegroupedEvent, RegroupedEvents } from "../../../domain/issues/regroup-events.ts";
import { DAY_MS, HOUR_MS } from "../../../domain/time.ts";
import type { Regrouping } from "../reprocessing-store.ts";
import type { State } from "../state.ts";
import {
  apply,
  type CreateStateDatabase,
  createProject,
  EVERYTHING,
  groupingOf,
  NOON,
  occurrence,
  openStore,
  query,
  scopeOf,
  setStatus,
  titlesOf,
} from "./fixture.ts";

const MAPPED_AT = NOON + DAY_MS;

/** These events, which grouping puts under other hashes now. */
function group(
  hashes: string[],
  occurrences: IssueOccurrence[],
  change: Partial<RegroupedEvents> = {},
): RegroupedEvents {
  const [main = ""] = hashes;
  return {
    hashes,
    grouping: groupingOf(main),
    headline: {
      title: `Mapped ${main}`,
      type: "TypeError",
      value: "mapped",
      culprit: `src/${main}.ts`,
      level: "error",
      platform: "javascript",
      logger: null,
      isUnhandled: true,
    },
    events: occurrences.map(
      ({ eventId, occurredAt, environment, userKey, release, missingSourceMaps }): RegroupedEvent => ({
        eventId,
        occurredAt,
        environment,
        userKey,
        release,
        ...(missingSourceMaps === undefined ? {} : { missingSourceMaps }),
      }),
    ),
    ...change,
  };
}

/** The events as they were grouped by the bundles' names: one issue `raw` each time. */
async function applyRaw(store: State, count: number, change: (index: number) => object = () => ({})) {
  const occurrences = Array.from({ length: count }, (_, index) =>
    occurrence(index, "raw", { at: NOON + index, ...change(index) }),
  );
  const [made] = await apply(store, occurrences);
  return { occurrences, rawId: made?.issueId ?? 0 };
}

async function regroup(store: State, fromIssueId: number, groups: RegroupedEvents[], rest: Partial<Regrouping> = {}) {
  return await store.reprocessing.regroupEvents({ fromIssueId, at: MAPPED_AT, groups, ...rest });
}

async function hoursOf(store: State, issueId: number, environments?: string[]): Promise<number[]> {
  const trends = await store.issues.listTrends(EVERYTHING, [issueId], {
    from: NOON,
    to: NOON + 3 * HOUR_MS,
    bucketMs: HOUR_MS,
    ...(environments ? { environments } : {}),
  });
  return trends.get(issueId) ?? [];
}

async function feedOf(store: State, issueId: number): Promise<unknown[]> {
  return (await store.issues.listActivity(EVERYTHING, issueId)).map(({ kind, data }) => [kind, data]);
}

export function describeRegroupEvents(createDatabase: CreateStateDatabase): void {
  test("an issue that nobody else is keeps its id, and gets the mapped hashes and texts", async () => {
    await using store = await openStore(createDatabase);
    const { occurrences, rawId } = await applyRaw(store, 2);
    const result = await regroup(store, rawId, [group(["mapped", "more"], occurrences)]);
    expect(result).toEqual({
      events: occurrences.map(({ eventId }) => ({ eventId, issueId: rawId })),
      issues: [{ issueId: rawId, outcome: "kept", transition: null, eventCount: 2 }],
      mergedInto: null,
    });
    expect(await store.issues.getIssue(EVERYTHING, rawId)).toMatchObject({
      title: "Mapped mapped",
      culprit: "src/mapped.ts",
      isUnhandled: true,
      eventCount: 2,
      lastSeenAt: NOON + 1,
    });
    expect((await store.issues.listIssueHashes(EVERYTHING, rawId)).map(({ hash }) => hash)).toEqual([
      "raw",
      "mapped",
      "more",
    ]);
    expect(await titlesOf(store, { text: ["src/mapped.ts"] })).toEqual(["Mapped mapped"]);
    expect(await titlesOf(store, { text: ["error of raw"] })).toEqual([]);
    const [later, raw] = await apply(store, [occurrence(10, "more"), occurrence(11, "raw")]);
    expect([later?.issueId, raw?.issueId]).toEqual([rawId, rawId]);
    expect(await store.reprocessing.listEventMoves(10)).toEqual([]);
  });

  test("an issue whose events are all another one's ends in that one, with all that it had", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const projectId = await createProject(store, "web");
    const [known] = await apply(store, [
      occurrence(100, "mapped", { projectId, at: NOON + HOUR_MS, userKey: "id:1", title: "Known", release: "web@2" }),
    ]);
    const targetId = known?.issueId ?? 0;
    const occurrences = [
      occurrence(101, "raw", { projectId, at: NOON, userKey: "id:1", release: "web@1" }),
      occurrence(102, "raw", { projectId, at: NOON + 1, userKey: "id:2", environment: "staging", release: "web@1" }),
      occurrence(103, "raw", { projectId, at: NOON + 2 * HOUR_MS, userKey: "id:3", release: "web@3" }),
    ];
    const [raw] = await apply(store, occurrences);
    const rawId = raw?.issueId ?? 0;
    const result = await regroup(store, rawId, [group(["mapped", "extra"], occurrences)]);
    expect(result).toEqual({
      events: occurrences.map(({ eventId }) => ({ eventId, issueId: targetId })),
      issues: [{ issueId: targetId, outcome: "joined", transition: null, eventCount: 3 }],
      mergedInto: targetId,
    });
    const target = await store.issues.getIssue(EVERYTHING, targetId);
    expect(target).toMatchObject({
      id: targetId,
      shortId: "WEB-1",
      title: "Mapped mapped",
      eventCount: 4,
      userCount: 3,
      firstSeenAt: NOON,
      lastSeenAt: NOON + 2 * HOUR_MS,
      firstRelease: "web@1",
      lastRelease: "web@3",
    });
    expect(await hoursOf(store, targetId)).toEqual([2, 1, 1]);
    expect(await hoursOf(store, targetId, ["staging"])).toEqual([1, 0, 0]);
    expect(await hoursOf(store, rawId)).toEqual([0, 0, 0]);
    expect(await titlesOf(store, { environments: ["staging"] })).toEqual(["Mapped mapped"]);
    expect(await titlesOf(store, { release: "web@1" })).toEqual(["Mapped mapped"]);
    // Old links and ids go on working.
    expect(await store.issues.getIssue(EVERYTHING, rawId)).toEqual(target);
    expect(await store.issues.getIssueByShortId(EVERYTHING, "web-2")).toEqual(target);
    expect(await store.issues.getIssues(EVERYTHING, [rawId, targetId])).toEqual([target]);
    expect(await store.issues.listIssueHashes(EVERYTHING, rawId)).toHaveLength(3);
    expect(await feedOf(store, rawId)).toEqual([
      ["joined", { issueId: rawId, shortId: "WEB-2", events: 3, isWhole: true }],
      ["first_seen", { eventId: occurrences[0]?.eventId }],
    ]);
    expect((await store.issues.listActivity(EVERYTHING, rawId)).at(-1)?.at).toBe(NOON);
    expect((await store.issues.listIssues(...query())).issues).toHaveLength(1);
    const changed = await setStatus(store, [rawId], "resolved", NOON);
    expect(changed.map(({ issueId }) => issueId)).toEqual([targetId]);
    await store.issues.restoreIssueStatuses(EVERYTHING, [{ issueId: rawId, status: "unresolved", substatus: "new" }], {
      userId: null,
      at: NOON,
    });
    expect((await store.issues.getIssue(EVERYTHING, targetId))?.status).toBe("unresolved");
    const later = await apply(store, [
      occurrence(110, "raw", { projectId }),
      occurrence(111, "extra", { projectId }),
      occurrence(112, "new", { projectId }),
    ]);
    expect(later.slice(0, 2).map(({ issueId }) => issueId)).toEqual([targetId, targetId]);
    expect((await store.issues.getIssue(EVERYTHING, later[2]?.issueId ?? 0))?.shortId).toBe("WEB-3");
  });

  test("the largest unknown group keeps the issue, the next ones become issues of their own", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const { occurrences, rawId } = await applyRaw(store, 6, (index) => ({
      userKey: `id:${index}`,
      at: NOON + index * (HOUR_MS / 2),
      environment: index < 2 ? "staging" : "production",
    }));
    const [first, second, ...rest] = occurrences;
    if (first === undefined || second === undefined) throw new Error("no events");
    const result = await regroup(store, rawId, [group(["small"], [second, first]), group(["large"], rest)]);
    const smallId = result.issues.find(({ outcome }) => outcome === "split_off")?.issueId ?? 0;
    expect(result.mergedInto).toBeNull();
    expect(result.issues).toEqual([
      { issueId: rawId, outcome: "kept", transition: null, eventCount: 4 },
      { issueId: smallId, outcome: "split_off", transition: "new", eventCount: 2 },
    ]);
    expect(await store.issues.getIssue(EVERYTHING, smallId)).toMatchObject({
      title: "Mapped small",
      eventCount: 2,
      userCount: 2,
      firstSeenAt: NOON,
      lastSeenAt: NOON + HOUR_MS / 2,
      status: "unresolved",
      substatus: "new",
    });
    expect(await hoursOf(store, smallId)).toEqual([2, 0, 0]);
    // Nobody knows which users the rest has; when it was first seen is known to the hour.
    expect(await store.issues.getIssue(EVERYTHING, rawId)).toMatchObject({
      title: "Mapped large",
      eventCount: 4,
      userCount: 6,
      firstSeenAt: NOON + HOUR_MS,
      lastSeenAt: NOON + 2.5 * HOUR_MS,
    });
    expect(await hoursOf(store, rawId)).toEqual([0, 2, 2]);
    const days = { from: NOON, to: NOON + 1, bucketMs: DAY_MS };
    expect(await store.issues.listTrends(EVERYTHING, [rawId, smallId], days)).toEqual(
      new Map([
        [rawId, [4]],
        [smallId, [2]],
      ]),
    );
    expect(await titlesOf(store, { environments: ["staging"] })).toEqual(["Mapped small"]);
    const shortIds = (await store.issues.getIssues(EVERYTHING, [rawId, smallId])).map(({ shortId }) => shortId);
    expect(await feedOf(store, smallId)).toEqual([
      ["split_off", { issueId: rawId, shortId: shortIds[0], events: 2 }],
      ["first_seen", { eventId: first.eventId }],
    ]);
    expect((await feedOf(store, rawId))[0]).toEqual([
      "moved_away",
      { issueId: smallId, shortId: shortIds[1], events: 2 },
    ]);
  });

  test("once a map has given the issue its hashes, further unknown groups leave it, unless it would be left empty", async () => {
    await using store = await openStore(createDatabase);
    const { occurrences, rawId } = await applyRaw(store, 6);
    await regroup(store, rawId, [group(["first"], occurrences.slice(0, 2))]);
    const second = await regroup(store, rawId, [group(["second"], occurrences.slice(2, 5))]);
    expect(second.issues.map(({ outcome }) => outcome)).toEqual(["split_off"]);
    expect((await store.issues.getIssue(EVERYTHING, rawId))?.eventCount).toBe(3);
    const third = await regroup(store, rawId, [
      group(["third"], [...occurrences.slice(0, 2), ...occurrences.slice(5)]),
    ]);
    expect(third.issues).toMatchObject([{ issueId: rawId, outcome: "kept" }]);
    expect(third.mergedInto).toBeNull();
  });

  test("given again before the event store knows, and in parts, nothing counts twice", async () => {
    await using store = await openStore(createDatabase);
    const [known] = await apply(store, [occurrence(100, "mapped")]);
    const targetId = known?.issueId ?? 0;
    const occurrences = [1, 2, 3].map((index) => occurrence(100 + index, "raw", { userKey: `id:${index}` }));
    const rawId = (await apply(store, occurrences))[0]?.issueId ?? 0;
    const [first, second, third] = occurrences;
    if (!first || !second || !third) throw new Error("no events");
    const part = await regroup(store, rawId, [group(["mapped"], [first, first])]);
    expect(part.mergedInto).toBeNull();
    expect(part.events).toEqual([{ eventId: first.eventId, issueId: targetId }]);
    const counts = async () => [
      (await store.issues.getIssue(EVERYTHING, targetId))?.eventCount,
      (await store.issues.listIssues(...query())).issues.map(({ eventCount }) => eventCount).sort(),
    ];
    expect(await counts()).toEqual([2, [2, 2]]);
    // Another map may have come meanwhile: what was counted over stays there.
    expect((await regroup(store, rawId, [group(["other"], [first])])).events).toEqual(part.events);
    expect(await counts()).toEqual([2, [2, 2]]);
    const more = await regroup(store, rawId, [group(["mapped"], [first, second])]);
    expect(more.events.map(({ issueId }) => issueId)).toEqual([targetId, targetId]);
    expect(await counts()).toEqual([3, [1, 3]]);
    expect(
      (await store.issues.listActivity(EVERYTHING, targetId)).filter(({ kind }) => kind === "joined"),
    ).toMatchObject([{ data: { issueId: rawId, events: 2, isWhole: false } }]);
    expect(await store.reprocessing.listEventMoves(10)).toEqual(
      [first, second].map(({ eventId }) => ({ projectId: 1, eventId, fromIssueId: rawId, toIssueId: targetId })),
    );
    const whole = await regroup(store, rawId, [group(["mapped"], [third])]);
    expect(whole.mergedInto).toBe(targetId);
    expect(await counts()).toEqual([4, [4]]);
    // The issue is gone, and the event store has its events still.
    const again = await regroup(store, rawId, [group(["mapped"], occurrences)]);
    expect(again).toEqual({
      events: occurrences.map(({ eventId }) => ({ eventId, issueId: targetId })),
      issues: [],
      mergedInto: targetId,
    });
    expect(await counts()).toEqual([4, [4]]);
    expect((await store.issues.getIssue(EVERYTHING, targetId))?.userCount).toBe(3);
    expect(await store.reprocessing.confirmEventMoves(await store.reprocessing.listEventMoves(2))).toBe(2);
    expect(await store.reprocessing.listEventMoves(10)).toHaveLength(1);
    expect(await store.reprocessing.confirmEventMoves(await store.reprocessing.listEventMoves(10))).toBe(1);
    expect(await store.reprocessing.confirmEventMoves([{ projectId: 1, eventId: first.eventId }])).toBe(0);
  });

  test("an event that comes to the event store after its issue ended gets the other one, and counts there already", async () => {
    await using store = await openStore(createDatabase);
    const targetId = (await apply(store, [occurrence(100, "mapped")]))[0]?.issueId ?? 0;
    const occurrences = [occurrence(101, "raw"), occurrence(102, "raw")];
    const rawId = (await apply(store, occurrences))[0]?.issueId ?? 0;
    await regroup(store, rawId, [group(["mapped"], occurrences.slice(0, 1))], { isComplete: true });
    expect((await store.issues.getIssue(EVERYTHING, rawId))?.eventCount).toBe(3);
    const late = await regroup(store, rawId, [group(["mapped"], occurrences.slice(1))]);
    expect(late.events).toEqual([{ eventId: occurrences[1]?.eventId, issueId: targetId }]);
    expect((await store.issues.getIssue(EVERYTHING, targetId))?.eventCount).toBe(3);
    // Read again after a crash, its record comes out the same.
    expect((await apply(store, [occurrence(101, "x"), occurrence(102, "y")])).map(({ issueId }) => issueId)).toEqual([
      targetId,
      targetId,
    ]);
  });

  test("counts of events that are dropped already go with the last ones, when those are all that there are", async () => {
    await using store = await openStore(createDatabase);
    const targetId = (await apply(store, [occurrence(100, "mapped", { at: NOON + HOUR_MS })]))[0]?.issueId ?? 0;
    const occurrences = [0, 1, 2].map((index) =>
      occurrence(101 + index, "raw", { userKey: `id:${index}`, at: NOON + index, release: `1.${index}` }),
    );
    const rawId = (await apply(store, occurrences))[0]?.issueId ?? 0;
    const last = occurrences.slice(2);
    expect((await regroup(store, rawId, [group(["mapped"], last)])).mergedInto).toBeNull();
    expect((await regroup(store, rawId, [group(["mapped"], last)], { isComplete: true })).mergedInto).toBe(targetId);
    expect(await store.issues.getIssue(EVERYTHING, targetId)).toMatchObject({
      eventCount: 4,
      userCount: 3,
      firstSeenAt: NOON,
      firstRelease: "1.0",
    });
    expect(await hoursOf(store, targetId)).toEqual([3, 1, 0]);
    expect((await store.issues.listActivity(EVERYTHING, targetId))[0]).toMatchObject({
      data: { events: 3, isWhole: true },
    });
    expect(await titlesOf(store, { release: "1.0" })).toHaveLength(1);
  });

  test("events that go to several issues leave the rest to the one of most of them", async () => {
    await using store = await openStore(createDatabase);
    const known = await apply(store, [occurrence(100, "one"), occurrence(101, "two")]);
    const [oneId, twoId] = known.map(({ issueId }) => issueId);
    const occurrences = [0, 1, 2, 3].map((index) => occurrence(200 + index, "raw", { userKey: `id:${index}` }));
    const rawId = (await apply(store, occurrences))[0]?.issueId ?? 0;
    await regroup(store, rawId, [group(["two"], occurrences.slice(0, 3))]);
    const result = await regroup(store, rawId, [group(["one"], occurrences.slice(3))]);
    expect(result.mergedInto).toBe(twoId);
    expect(
      (await store.issues.getIssues(EVERYTHING, [oneId ?? 0, twoId ?? 0])).map(({ eventCount, userCount }) => [
        eventCount,
        userCount,
      ]),
    ).toEqual([
      [2, 1],
      [4, 3],
    ]);
    // What is read again by the raw hash goes where the issue went.
    expect((await apply(store, [occurrence(300, "raw")]))[0]?.issueId).toBe(twoId);
  });

  test("an issue that ended in one that ends itself is the last of them", async () => {
    await using store = await openStore(createDatabase);
    const a = [occurrence(0, "a")];
    const b = [occurrence(1, "b")];
    const c = [occurrence(2, "c")];
    const ids = (await apply(store, [...a, ...b, ...c])).map(({ issueId }) => issueId);
    const [aId = 0, bId = 0, cId = 0] = ids;
    await regroup(store, aId, [group(["b"], a)]);
    await regroup(store, bId, [group(["c"], [...b, ...a])]);
    expect(await store.issues.getIssues(EVERYTHING, ids)).toHaveLength(1);
    expect((await store.issues.getIssue(EVERYTHING, aId))?.id).toBe(cId);
    expect((await store.issues.getIssue(EVERYTHING, cId))?.eventCount).toBe(3);
    const again = await regroup(store, aId, [group(["b"], a)]);
    expect(again.events).toEqual([{ eventId: a[0]?.eventId, issueId: cId }]);
    expect((await store.issues.getIssue(EVERYTHING, cId))?.eventCount).toBe(3);
  });

  test("a move that the event store does not know yet is one to where the issue ended since", async () => {
    await using store = await openStore(createDatabase);
    const [a, b, c] = [occurrence(0, "a"), occurrence(1, "b"), occurrence(2, "c")];
    const [aId = 0, bId = 0, cId = 0] = (await apply(store, [a, b, c])).map(({ issueId }) => issueId);
    await regroup(store, aId, [group(["b"], [a])]);
    await regroup(store, bId, [group(["c"], [b])], { isComplete: true });
    expect((await store.issues.getIssue(EVERYTHING, cId))?.eventCount).toBe(3);
    expect(await store.reprocessing.listEventMoves(10)).toEqual([
      { projectId: 1, eventId: a.eventId, fromIssueId: aId, toIssueId: cId },
      { projectId: 1, eventId: b.eventId, fromIssueId: bId, toIssueId: cId },
    ]);
    expect(await store.reprocessing.listEventMoves(1)).toHaveLength(1);
  });

  test("a resolved issue that events join regresses by those that show that it is still there, others leave it", async () => {
    await using store = await openStore(createDatabase);
    const setUp = async (hash: string, base: number, fromStatus: "unresolved" | "resolved" | "archived") => {
      const targetId = (await apply(store, [occurrence(base, hash, { release: "web@1.0" })]))[0]?.issueId ?? 0;
      const later = occurrence(base + 1, `raw-${hash}`, { at: NOON + 200, release: "web@1.1" });
      const rawId = (await apply(store, [later]))[0]?.issueId ?? 0;
      const change = { userId: null, at: NOON + 100 };
      await store.issues.changeIssueStatus(EVERYTHING, { ...change, issueIds: [targetId], status: "resolved" });
      if (fromStatus !== "unresolved") {
        await store.issues.changeIssueStatus(EVERYTHING, {
          ...change,
          issueIds: [rawId],
          status: fromStatus,
          at: NOON + 300,
        });
      }
      return { targetId, rawId, later };
    };
    const statusAfter = async ({ targetId, rawId, later }: Awaited<ReturnType<typeof setUp>>, hash: string) => {
      const result = await regroup(store, rawId, [group([hash], [later])]);
      return [result.issues[0]?.transition, (await store.issues.getIssue(EVERYTHING, targetId))?.status];
    };
    expect(await statusAfter(await setUp("a", 0, "unresolved"), "a")).toEqual(["regressed", "unresolved"]);
    expect(await statusAfter(await setUp("b", 10, "resolved"), "b")).toEqual([null, "resolved"]);
    expect(await statusAfter(await setUp("c", 20, "archived"), "c")).toEqual([null, "resolved"]);

    const waiting = await setUp("d", 30, "unresolved");
    await store.issues.changeIssueStatus(EVERYTHING, {
      issueIds: [waiting.targetId],
      status: "resolved",
      resolution: { kind: "release", version: "web@1.2" },
      userId: null,
      at: NOON + 100,
    });
    expect(await statusAfter(waiting, "d")).toEqual([null, "resolved"]);

    const archived = await setUp("e", 40, "unresolved");
    await setStatus(store, [archived.targetId], "archived", NOON + 110);
    expect(await statusAfter(archived, "e")).toEqual([null, "archived"]);
  });

  test("what is split off an issue that was put away is put away too", async () => {
    await using store = await openStore(createDatabase);
    const { occurrences, rawId } = await applyRaw(store, 3);
    const resolution = { kind: "release", version: "web@2" } as const;
    await store.issues.changeIssueStatus(EVERYTHING, {
      issueIds: [rawId],
      status: "resolved",
      resolution,
      userId: null,
      at: NOON + 10,
    });
    const result = await regroup(store, rawId, [
      group(["large"], occurrences.slice(0, 2)),
      group(["small"], occurrences.slice(2)),
    ]);
    expect(await store.issues.getIssue(EVERYTHING, result.issues[1]?.issueId ?? 0)).toMatchObject({
      status: "resolved",
      resolution,
      statusChangedAt: NOON + 10,
    });
  });

  test("groups that nobody knows, and that share a hash, are one issue", async () => {
    await using store = await openStore(createDatabase);
    const { occurrences, rawId } = await applyRaw(store, 4);
    const result = await regroup(store, rawId, [
      group(["a", "shared"], occurrences.slice(0, 3)),
      group(["b", "shared"], occurrences.slice(3)),
    ]);
    expect(new Set(result.events.map(({ issueId }) => issueId))).toEqual(new Set([rawId]));
    expect((await apply(store, [occurrence(50, "b")]))[0]?.issueId).toBe(rawId);
  });

  test("events of a browser find the issue that another engine left keys for, and leave their own", async () => {
    await using store = await openStore(createDatabase);
    const [chrome] = await apply(store, [occurrence(100, "chrome", { kin: { seek: [], leave: ["k"] } })]);
    const raw = [occurrence(101, "raw", { kin: { seek: [], leave: ["m"] } })];
    const rawId = (await apply(store, raw))[0]?.issueId ?? 0;
    const result = await regroup(store, rawId, [group(["safari"], raw, { kin: { seek: ["k"], leave: ["l"] } })]);
    expect(result.mergedInto).toBe(chrome?.issueId);
    expect(
      (await store.issues.listIssueHashes(EVERYTHING, rawId)).map(({ hash, isFoundByAlias }) => [hash, isFoundByAlias]),
    ).toEqual([
      ["chrome", false],
      ["raw", false],
      ["safari", true],
    ]);
    const [firefox] = await apply(store, [occurrence(102, "firefox", { kin: { seek: ["l"], leave: [] } })]);
    expect(firefox?.issueId).toBe(chrome?.issueId);
    const [minified] = await apply(store, [occurrence(103, "minified", { kin: { seek: ["m"], leave: [] } })]);
    expect(minified?.issueId).toBe(chrome?.issueId);
  });

  test("what an ended issue wanted is the other one's", async () => {
    await using store = await openStore(createDatabase);
    const targetId = (await apply(store, [occurrence(99, "mapped")]))[0]?.issueId ?? 0;
    const key = { type: "source_map" as const, release: null, dist: null, sampleUrl: "u", isForeign: false };
    const missingSourceMaps = [
      { ...key, debugId: "d".repeat(32) },
      { ...key, debugId: "e".repeat(32) },
    ];
    const foreign = missingSourceMaps.slice(1).map((each) => ({ ...each, isForeign: true, sampleUrl: "v" }));
    await apply(store, [occurrence(100, "mapped", { missingSourceMaps: foreign })]);
    const raw = [occurrence(101, "raw", { missingSourceMaps })];
    const rawId = (await apply(store, raw))[0]?.issueId ?? 0;
    await regroup(store, rawId, [group(["mapped"], raw)]);
    expect(await store.artifacts.listMissingSourceMaps(scopeOf(1), {})).toMatchObject([
      { issueId: targetId, debugId: "e".repeat(32), eventCount: 2, isForeign: false, sampleUrl: "u" },
      { issueId: targetId, debugId: "d".repeat(32), eventCount: 1 },
    ]);
  });

  test("what an event still wants goes with it, and what those wanted that are not there any more with the last", async () => {
    await using store = await openStore(createDatabase);
    const wants = (debugId: string) => [
      {
        type: "source_map" as const,
        debugId: debugId.repeat(32),
        release: null,
        dist: null,
        sampleUrl: "u",
        isForeign: false,
      },
    ];
    const first = occurrence(101, "raw", { missingSourceMaps: wants("a") });
    const second = occurrence(102, "raw", { missingSourceMaps: wants("b") });
    const [known, raw] = await apply(store, [occurrence(100, "mapped"), first, second]);
    const [targetId = 0, rawId = 0] = [known?.issueId, raw?.issueId];
    const listed = async () =>
      (await store.artifacts.listMissingSourceMaps(scopeOf(1), {})).map(({ issueId, debugId }) => [
        issueId,
        debugId?.[0],
      ]);
    await regroup(store, rawId, [group(["mapped"], [first], {})]);
    expect(await listed()).toEqual([
      [targetId, "a"],
      [rawId, "a"],
      [rawId, "b"],
    ]);
    // The second one is being stored: nobody knows yet what it wants.
    await regroup(store, rawId, [group(["mapped"], [first])], { isComplete: true });
    expect((await listed()).every(([issueId]) => issueId === targetId)).toBe(true);
    expect((await listed()).map(([, debugId]) => debugId).sort()).toEqual(["a", "b"]);
  });

  test("an issue that lost events has exact counts after a recount", async () => {
    await using store = await openStore(createDatabase);
    const { occurrences, rawId } = await applyRaw(store, 6, (index) => ({
      at: NOON + index * 10_000,
      userKey: `id:${index % 4}`,
      release: `web@${index}`,
      environment: index < 2 ? "staging" : "production",
    }));
    const [rest, left] = [occurrences.slice(2, 4), [...occurrences.slice(0, 2), ...occurrences.slice(4)]];
    await regroup(store, rawId, [group(["stays"], rest)]);
    await regroup(store, rawId, [group(["leaves"], left)]);
    expect(await store.issues.getIssue(EVERYTHING, rawId)).toMatchObject({ eventCount: 2, userCount: 4 });
    await setStatus(store, [rawId], "resolved", NOON - 1);
    expect(await store.reprocessing.recountIssue({ issueId: rawId, groups: [group(["stays"], rest.slice(1))] })).toBe(
      false,
    );
    expect(await store.reprocessing.recountIssue({ issueId: rawId, groups: [group(["stays"], occurrences)] })).toBe(
      false,
    );
    expect(await store.reprocessing.recountIssue({ issueId: 4711, groups: [group(["stays"], rest)] })).toBe(false);
    expect((await store.issues.getIssue(EVERYTHING, rawId))?.userCount).toBe(4);
    const headline = { ...group(["x"], rest).headline, title: "The latest" };
    const groups = [group(["stays"], rest.slice(1), { headline }), group(["stays"], rest.slice(0, 1))];
    expect(await store.reprocessing.recountIssue({ issueId: rawId, groups })).toBe(true);
    expect(await store.issues.getIssue(EVERYTHING, rawId)).toMatchObject({
      title: "The latest",
      status: "resolved",
      eventCount: 2,
      userCount: 2,
      firstSeenAt: NOON + 20_000,
      lastSeenAt: NOON + 30_000,
      firstRelease: "web@2",
      lastRelease: "web@3",
    });
    expect(await hoursOf(store, rawId)).toEqual([2, 0, 0]);
    expect(await titlesOf(store, { release: "web@5", text: ["latest"] })).toEqual([]);
    expect(await titlesOf(store, { release: "web@3", text: ["latest"] })).toEqual(["The latest"]);
    expect((await store.issues.listActivity(EVERYTHING, rawId)).at(-1)).toMatchObject({
      kind: "first_seen",
      at: NOON + 20_000,
      data: { eventId: rest[0]?.eventId },
    });
  });

  test("an issue that never was cannot be regrouped, and no groups change nothing", async () => {
    await using store = await openStore(createDatabase);
    await expect(regroup(store, 404, [])).rejects.toThrow(RangeError);
    const { rawId } = await applyRaw(store, 1);
    expect(await regroup(store, rawId, [], { isComplete: true })).toEqual({ events: [], issues: [], mergedInto: null });
    expect((await store.issues.getIssue(EVERYTHING, rawId))?.eventCount).toBe(1);
  });
}

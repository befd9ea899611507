import { describe, expect, test } from "vitest";
import type { GroupingExplanation } from "../grouping.ts";
import type { OrderedRelease } from "../releases/release-order.ts";
import { toVersionKey } from "../releases/release-order.ts";
import { applyOccurrences, type KnownState } from "./apply-occurrences.ts";
import { type KnownArchive, NO_PROGRESS } from "./archive-rule.ts";
import type { KnownIssue } from "./known-issue.ts";
import type { IssueOccurrence } from "./occurrence.ts";

const NOON = Date.UTC(2026, 4, 20, 12);
const GROUPING: GroupingExplanation = {
  version: "culprit:1",
  basis: "message",
  variant: null,
  hash: "a",
  contributions: [],
  omissions: [],
};

function event(sequence: number, hashes: string[], change: Partial<IssueOccurrence> = {}): IssueOccurrence {
  return {
    sequence,
    projectId: 1,
    eventId: `event-${sequence}`,
    hashes,
    grouping: GROUPING,
    occurredAt: NOON + sequence,
    receivedAt: NOON + sequence,
    title: `title ${sequence}`,
    type: "Error",
    value: "",
    culprit: "",
    level: "error",
    platform: "node",
    logger: null,
    isUnhandled: false,
    environment: "production",
    release: null,
    userKey: null,
    ...change,
  };
}

function issue(id: number, change: Partial<KnownIssue> = {}): KnownIssue {
  return {
    id,
    projectId: 1,
    shortId: `WEB-${id}`,
    status: "unresolved",
    substatus: "ongoing",
    statusChangedAt: NOON - 1000,
    firstSeenAt: NOON - 1000,
    lastSeenAt: NOON - 500,
    firstReleaseId: null,
    lastReleaseId: null,
    title: "stored title",
    type: "Error",
    value: "",
    culprit: "",
    level: "error",
    platform: "node",
    logger: null,
    isUnhandled: false,
    ...change,
  };
}

function release(id: number, version: string): OrderedRelease {
  return { id, version, ...toVersionKey(version), orderedAt: NOON - 10_000 + id };
}

function known(change: Partial<KnownState> = {}): KnownState {
  return {
    appliedSequence: 0,
    earlierIssueIds: new Map(),
    issueIdsByHash: new Map(),
    issueIdsByAlias: new Map(),
    splitCounts: new Map(),
    deletedIssuesByHash: new Map(),
    issues: new Map(),
    resolutions: new Map(),
    archives: new Map(),
    releases: { byVersion: new Map(), versionsOfProject: new Map(), madeByDay: new Map() },
    waiting: new Map(),
    hasCommit: () => false,
    ...change,
  };
}

const withIssue = (stored: KnownIssue, hash = "a"): Partial<KnownState> => ({
  issueIdsByHash: new Map([[stored.projectId, new Map([[hash, stored.id]])]]),
  issues: new Map([[stored.id, stored]]),
});

describe("the issue of an occurrence", () => {
  test("is new with the first event of unknown hashes, which all become its own", () => {
    const { changes, assigned } = applyOccurrences(known(), [event(1, ["a", "b"]), event(2, ["b"])]);
    expect(changes).toHaveLength(1);
    expect(changes[0]?.newHashes.map(({ hash }) => hash)).toEqual(["a", "b"]);
    expect(assigned.map(({ transition }) => transition)).toEqual(["new", null]);
  });

  test("is that of the first known hash, and another known hash stays where it is", () => {
    const state = known({
      issueIdsByHash: new Map([
        [
          1,
          new Map([
            ["a", 7],
            ["b", 8],
          ]),
        ],
      ]),
      issues: new Map([
        [7, issue(7)],
        [8, issue(8)],
      ]),
    });
    const { changes } = applyOccurrences(state, [event(1, ["c", "b", "a"])]);
    expect(changes.map((change) => [change.known?.id, change.newHashes.map(({ hash }) => hash)])).toEqual([[8, ["c"]]]);
  });

  test("keeps the same hash of two projects apart", () => {
    const { changes } = applyOccurrences(known(), [event(1, ["a"]), event(2, ["a"], { projectId: 2 })]);
    expect(changes.map(({ first }) => first.projectId)).toEqual([1, 2]);
  });

  test("is found by an alias fingerprint that an earlier event of the batch left, and says so", () => {
    const { changes } = applyOccurrences(known(), [
      event(1, ["chrome"], { kin: { seek: [], leave: ["k"] } }),
      event(2, ["firefox"], { kin: { seek: ["k"], leave: ["k", "l"] } }),
    ]);
    expect(changes).toHaveLength(1);
    expect(changes[0]?.newHashes.map(({ hash, isFoundByAlias }) => [hash, isFoundByAlias])).toEqual([
      ["chrome", false],
      ["firefox", true],
    ]);
    expect(changes[0]?.newAliases).toEqual(["k", "l"]);
  });

  test("of a record that was applied before is the one that the last batch gave, and nothing is counted", () => {
    const again = event(1, ["other"]);
    const state = known({ appliedSequence: 2, earlierIssueIds: new Map([[again, 7]]) });
    const { changes, assigned } = applyOccurrences(state, [again]);
    expect(assigned).toEqual([{ found: { issueId: 7 }, transition: null }]);
    expect(changes).toEqual([]);
  });

  test("of a record that was applied before is made again without a transition when it is gone", () => {
    const { changes, assigned } = applyOccurrences(known({ appliedSequence: 2 }), [event(1, ["a"])]);
    expect(assigned[0]?.transition).toBeNull();
    expect(changes[0]?.eventCount).toBe(1);
  });

  test("fails when a key names an issue that does not exist", () => {
    const state = known({ issueIdsByHash: new Map([[1, new Map([["a", 7]])]]) });
    expect(() => applyOccurrences(state, [event(1, ["a"])])).toThrow("names issue 7, which does not exist");
  });
});

describe("texts and counts of an issue", () => {
  test("follow the latest event by its own clock", () => {
    const { changes } = applyOccurrences(known(withIssue(issue(7))), [
      event(1, ["a"], { occurredAt: NOON + 90, title: "latest" }),
      event(2, ["a"], { occurredAt: NOON - 2000, title: "earliest" }),
    ]);
    const [change] = changes;
    expect(change?.headline?.title).toBe("latest");
    expect([change?.firstSeenAt, change?.lastSeenAt]).toEqual([NOON - 2000, NOON + 90]);
  });

  test("stay those of the stored event when it is later", () => {
    const { changes } = applyOccurrences(known(withIssue(issue(7, { lastSeenAt: NOON + 500 }))), [event(1, ["a"])]);
    expect(changes[0]?.headline).toBeNull();
    expect(changes[0]?.hasNewHeadline()).toBe(false);
  });

  test("count events by hour and environment, and users once", () => {
    const { changes, environments } = applyOccurrences(known(), [
      event(1, ["a"], { userKey: "u" }),
      event(2, ["a"], { userKey: "u", environment: null }),
      event(3, ["a"], { userKey: "v" }),
    ]);
    expect(environments).toEqual(["production", ""]);
    expect(changes[0]?.userKeys.size).toBe(2);
    expect([...(changes[0]?.eventsByHour() ?? [])].map(({ environment, count }) => [environment, count])).toEqual([
      [0, 2],
      [1, 1],
    ]);
  });
});

describe("a resolved issue", () => {
  const resolved = issue(7, { status: "resolved", statusChangedAt: NOON });

  test("comes back with the first event that occurred and arrived after the resolve", () => {
    const { assigned, changes } = applyOccurrences(known(withIssue(resolved)), [
      event(1, ["a"], { occurredAt: NOON - 1 }),
      event(2, ["a"], { receivedAt: NOON }),
      event(3, ["a"]),
      event(4, ["a"]),
    ]);
    expect(assigned.map(({ transition }) => transition)).toEqual([null, null, "regressed", null]);
    expect(changes[0]?.regression?.occurrence.sequence).toBe(3);
    expect(changes[0]?.status).toEqual({ status: "unresolved", substatus: "regressed", statusChangedAt: NOON + 3 });
  });

  test("that is archived stays so without a rule, and comes back by one, with what came after the archive", () => {
    const { assigned } = applyOccurrences(known(withIssue(issue(7, { status: "archived" }))), [event(1, ["a"])]);
    expect(assigned[0]?.transition).toBeNull();
    const archive: KnownArchive = {
      rule: { kind: "events", count: 2, windowMinutes: null },
      progress: NO_PROGRESS,
      hasUser: () => false,
      toUserId: (key) => key,
    };
    const archived = withIssue(issue(7, { status: "archived", statusChangedAt: NOON }));
    const { assigned: then, changes } = applyOccurrences(known({ ...archived, archives: new Map([[7, archive]]) }), [
      event(1, ["a"], { occurredAt: NOON - 1 }),
      event(2, ["a"]),
      event(3, ["a"]),
      event(4, ["a"]),
    ]);
    expect(then.map(({ transition }) => transition)).toEqual([null, null, "regressed", null]);
    expect(changes[0]?.status).toEqual({ status: "unresolved", substatus: "ongoing", statusChangedAt: NOON + 3 });
    expect([changes[0]?.archiveEnd?.occurrence.sequence, changes[0]?.regression]).toEqual([3, null]);
  });

  test("that is fixed in a release is not brought back by an older one", () => {
    const state = known({
      ...withIssue(resolved),
      resolutions: new Map([[7, { kind: "release", version: "app@1.5.0" }]]),
      releases: {
        byVersion: new Map([
          ["app@1.4.0", release(1, "app@1.4.0")],
          ["app@1.5.0", release(2, "app@1.5.0")],
        ]),
        versionsOfProject: new Map([[1, new Set(["app@1.4.0", "app@1.5.0"])]]),
        madeByDay: new Map(),
      },
    });
    const { assigned } = applyOccurrences(state, [
      event(1, ["a"], { release: "app@1.4.0" }),
      event(2, ["a"], { release: "app@1.5.0" }),
    ]);
    expect(assigned.map(({ transition }) => transition)).toEqual([null, "regressed"]);
  });

  test("that waits for the next release waits for the one that the batch makes, from that event on", () => {
    const waiting = { issueId: 7, resolution: { kind: "next_release", after: "app@1.4.0" }, resolvedAt: NOON } as const;
    const state = known({
      ...withIssue(resolved),
      resolutions: new Map([[7, waiting.resolution]]),
      waiting: new Map([[1, [waiting]]]),
      releases: {
        byVersion: new Map([["app@1.4.0", release(1, "app@1.4.0")]]),
        versionsOfProject: new Map([[1, new Set(["app@1.4.0"])]]),
        madeByDay: new Map(),
      },
    });
    const { assigned, settled, releases } = applyOccurrences(state, [
      event(1, ["a"], { release: "app@1.4.0" }),
      event(2, ["b"], { release: "app@1.6.0" }),
      event(3, ["a"], { release: "app@1.5.0" }),
      event(4, ["a"], { release: "app@1.6.0" }),
    ]);
    expect(releases.made.map(({ version }) => version)).toEqual(["app@1.6.0", "app@1.5.0"]);
    expect(settled.map(({ resolution }) => resolution)).toEqual([{ kind: "release", version: "app@1.6.0" }]);
    expect(assigned.map(({ transition }) => transition)).toEqual([null, "new", null, "regressed"]);
  });

  test("that is fixed by a commit comes back with a newer release once the project gets one that has the commit", () => {
    const resolution = { kind: "commit", commitId: "c", repository: "r" } as const;
    const state = known({
      ...withIssue(resolved),
      resolutions: new Map([[7, resolution]]),
      waiting: new Map([[1, [{ issueId: 7, resolution, resolvedAt: NOON }]]]),
      hasCommit: ({ version }) => version === "app@1.5.0",
      releases: {
        byVersion: new Map([
          ["app@1.5.0", release(1, "app@1.5.0")],
          ["app@1.6.0", release(2, "app@1.6.0")],
        ]),
        versionsOfProject: new Map([[1, new Set(["app@1.6.0"])]]),
        madeByDay: new Map(),
      },
    });
    const { assigned, settled } = applyOccurrences(state, [
      event(1, ["a"], { release: "app@1.6.0" }),
      event(2, ["b"], { release: "app@1.5.0" }),
      event(3, ["a"], { release: "app@1.6.0" }),
    ]);
    expect(settled.map(({ resolution: now }) => now)).toEqual([{ kind: "release", version: "app@1.5.0" }]);
    expect(assigned.map(({ transition }) => transition)).toEqual([null, "new", "regressed"]);
  });
});

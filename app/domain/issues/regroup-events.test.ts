import { describe, expect, test } from "vitest";
import type { KnownIssue } from "./known-issue.ts";
import { type KnownRegrouping, planRegrouping, type RegroupedEvents } from "./regroup-events.ts";

const AT = 10_000;
const HEADLINE = {
  title: "mapped",
  type: "Error",
  value: "",
  culprit: "",
  level: "error",
  platform: "javascript",
  logger: null,
  isUnhandled: false,
} as const;

function issue(id: number, change: Partial<KnownIssue> = {}): KnownIssue {
  return {
    ...HEADLINE,
    id,
    projectId: 1,
    shortId: `WEB-${id}`,
    status: "unresolved",
    substatus: "ongoing",
    statusChangedAt: 0,
    firstSeenAt: 0,
    lastSeenAt: 9_000,
    firstReleaseId: null,
    lastReleaseId: null,
    ...change,
  };
}

const FROM = issue(1);

/** Events `a1`, `a2` … of the hash `a`, a second apart. */
function group(hash: string, count: number, change: Partial<RegroupedEvents> = {}): RegroupedEvents {
  const events = Array.from({ length: count }, (_, index) => ({
    eventId: `${hash}${index + 1}`,
    occurredAt: 1_000 * (index + 1),
    environment: "production",
    release: null,
    userKey: null,
  }));
  const grouping = {
    version: "culprit:1",
    basis: "stack",
    variant: null,
    hash,
    contributions: [],
    omissions: [],
  } as const;
  return {
    hashes: [hash],
    kin: null,
    grouping: { ...grouping, contributions: [], omissions: [] },
    headline: HEADLINE,
    events,
    ...change,
  };
}

function known(change: Partial<KnownRegrouping> = {}): KnownRegrouping {
  return {
    from: FROM,
    eventCount: 10,
    hasRegroupedHash: false,
    movedEvents: new Map(),
    issueIdByHash: new Map(),
    issueIdByAlias: new Map(),
    splitCounts: new Map(),
    issues: new Map(),
    resolutions: new Map(),
    releases: new Map(),
    earlierMoves: [],
    ...change,
  };
}

const outcomesOf = (plan: ReturnType<typeof planRegrouping>) => plan.groups.map(({ outcome }) => outcome);

describe("groups that no issue knows", () => {
  test("the largest names the issue, every other becomes an issue of its own", () => {
    const plan = planRegrouping(known(), { groups: [group("b", 2), group("a", 3), group("c", 1)], at: AT });
    expect(outcomesOf(plan)).toEqual(["named", "split_off", "split_off"]);
    expect(plan.kept?.newHashes.map(({ hash }) => hash)).toEqual(["a"]);
    expect(plan.kept?.headline?.title).toBe("mapped");
    expect(plan.moves.map(({ eventIds }) => eventIds)).toEqual([["b1", "b2"], ["c1"]]);
    expect(plan.mergedInto).toBeNull();
  });

  test("leave an issue that a map has named before, unless it would be left empty", () => {
    const state = known({ hasRegroupedHash: true });
    expect(outcomesOf(planRegrouping(state, { groups: [group("a", 3)], at: AT }))).toEqual(["split_off"]);
    expect(outcomesOf(planRegrouping(state, { groups: [group("a", 10)], at: AT }))).toEqual(["named"]);
    expect(outcomesOf(planRegrouping(state, { groups: [group("a", 3)], isComplete: true, at: AT }))).toEqual(["named"]);
  });

  test("are one issue when they share a hash, or one seeks the alias fingerprint that the other leaves", () => {
    const state = known({ hasRegroupedHash: true });
    const groups = [
      group("a", 3, { kin: { seek: [], leave: ["k"] } }),
      group("b", 2, { hashes: ["b", "a"] }),
      group("c", 1, { kin: { seek: ["k"], leave: [] } }),
    ];
    const plan = planRegrouping(state, { groups, at: AT });
    expect(outcomesOf(plan)).toEqual(["split_off", "joined", "joined"]);
    expect(plan.moves).toHaveLength(1);
    expect(plan.moves[0]).toMatchObject({ earliestAt: 1_000, latestAt: 3_000 });
  });

  test("inherit that the issue was put away", () => {
    const from = issue(1, { status: "archived", statusChangedAt: 77 });
    const plan = planRegrouping(known({ from, hasRegroupedHash: true }), { groups: [group("a", 1)], at: AT });
    expect(plan.moves[0]?.change.status).toMatchObject({ status: "archived", statusChangedAt: 77 });
  });
});

describe("groups of another issue", () => {
  const joining = (change: Partial<KnownRegrouping> = {}) =>
    known({ issueIdByHash: new Map([["a", 2]]), issues: new Map([[2, issue(2)]]), ...change });

  test("join it, and an issue that is left without events ends where most of them went", () => {
    const plan = planRegrouping(joining({ eventCount: 3 }), { groups: [group("a", 3)], at: AT });
    expect(outcomesOf(plan)).toEqual(["joined"]);
    expect(plan.mergedInto).toEqual({ issueId: 2 });
  });

  test("count with those that went before", () => {
    const state = joining({ eventCount: 3, earlierMoves: [{ issueId: 9, eventCount: 4 }] });
    expect(planRegrouping(state, { groups: [group("a", 3)], at: AT }).mergedInto).toEqual({ issueId: 9 });
  });

  test("do not move again when they did before, and the issue goes on while others stay", () => {
    const state = joining({ eventCount: 1, movedEvents: new Map([["a1", 2]]) });
    const plan = planRegrouping(state, { groups: [group("a", 2), group("b", 1)], at: AT });
    expect(plan.moves.map(({ eventIds }) => eventIds)).toEqual([["a2"]]);
    expect(outcomesOf(plan)).toEqual(["joined", "named"]);
    expect(plan.mergedInto).toBeNull();
  });

  test("bring it back when it was resolved before them, unless their own issue was put away", () => {
    const issues = new Map([[2, issue(2, { status: "resolved", statusChangedAt: 2_500 })]]);
    const groups = [group("a", 3)];
    expect(planRegrouping(joining({ issues }), { groups, at: AT }).groups[0]?.transition).toBe("regressed");
    const from = issue(1, { status: "archived" });
    expect(planRegrouping(joining({ issues, from }), { groups, at: AT }).groups[0]?.transition).toBeNull();
  });
});

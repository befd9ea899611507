import { describe, expect, test } from "vitest";
import type { IssueOccurrence } from "../issues/occurrence.ts";
import { type KnownReleases, MAX_RELEASES_BY_EVENTS_PER_DAY, NamedReleases, toDayKey } from "./name-releases.ts";
import { compareReleases, type OrderedRelease, toVersionKey } from "./release-order.ts";

const NOON = Date.UTC(2026, 4, 20, 12);
const event = (release: string | null, change: Partial<IssueOccurrence> = {}) =>
  ({ projectId: 1, occurredAt: NOON, receivedAt: NOON, release, ...change }) as IssueOccurrence;
const stored = (id: number, version: string): OrderedRelease => ({
  id,
  version,
  ...toVersionKey(version),
  orderedAt: NOON,
});

function open(known: Partial<KnownReleases> = {}) {
  const links: string[] = [];
  const releases = new NamedReleases(
    { byVersion: new Map(), versionsOfProject: new Map(), madeByDay: new Map(), ...known },
    (projectId, { version }) => links.push(`${projectId} ${version}`),
  );
  return { releases, links };
}

describe("the releases that events name", () => {
  test("are made once, linked to each project, and counted", () => {
    const { releases, links } = open();
    releases.count(event("web@1", { occurredAt: NOON - 5 }));
    releases.count(event("web@1"));
    releases.count(event("web@1", { projectId: 2 }));
    expect(releases.made).toHaveLength(1);
    // A device that was offline may be the first to name a release that is long out.
    expect(releases.made[0]?.orderedAt).toBe(NOON - 5);
    expect(links).toEqual(["1 web@1", "2 web@1"]);
    expect(
      releases.counts.map(({ projectId, eventCount, firstEventAt }) => [projectId, eventCount, firstEventAt]),
    ).toEqual([
      [1, 2, NOON - 5],
      [2, 1, NOON],
    ]);
  });

  test("are made and linked by sessions, too, which count as no event", () => {
    const { releases, links } = open();
    releases.see({ sequence: 1, projectId: 1, release: "web@2", occurredAt: NOON - 5, receivedAt: NOON });
    releases.see({ sequence: 2, projectId: 1, release: "a/b", occurredAt: NOON, receivedAt: NOON });
    expect(releases.made.map(({ version, orderedAt }) => [version, orderedAt])).toEqual([["web@2", NOON - 5]]);
    expect(links).toEqual(["1 web@2"]);
    expect(releases.counts).toEqual([]);
    releases.count(event("web@2"));
    expect([releases.made.length, releases.counts[0]?.eventCount]).toEqual([1, 1]);
  });

  test("are not linked again when the project has them, however they are spelt", () => {
    const { releases, links } = open({
      byVersion: new Map([["web@1", stored(3, "web@1")]]),
      versionsOfProject: new Map([[1, new Set(["web@1"])]]),
    });
    expect(releases.count(event(" web@1 "))?.id).toBe(3);
    expect([releases.made, links]).toEqual([[], []]);
  });

  test("are newer than stored ones of the same instant, in the order in which they are made", () => {
    const { releases } = open();
    const first = releases.count(event("nightly-a")) as OrderedRelease;
    const second = releases.count(event("nightly-b")) as OrderedRelease;
    expect(compareReleases(stored(99, "nightly-0"), first)).toBeLessThan(0);
    expect(compareReleases(first, second)).toBeLessThan(0);
  });

  test("need a name that a release may have", () => {
    const { releases } = open();
    expect(releases.count(event(".."))).toBeNull();
    expect(releases.count(event(null))).toBeNull();
    expect(releases.counts).toEqual([]);
  });

  test("are left out and counted when the project's day is full", () => {
    const { releases } = open({ madeByDay: new Map([[toDayKey(event("x")), MAX_RELEASES_BY_EVENTS_PER_DAY - 1]]) });
    expect(releases.count(event("a"))).not.toBeNull();
    expect(releases.count(event("b"))).toBeNull();
    expect(releases.count(event("b"))).toBeNull();
    expect(releases.count(event("c", { projectId: 2 }))).not.toBeNull();
    expect(releases.days).toMatchObject([
      { projectId: 1, madeCount: 1, leftOutEventCount: 2, lastLeftOut: "b" },
      { projectId: 2, madeCount: 1, leftOutEventCount: 0 },
    ]);
  });
});

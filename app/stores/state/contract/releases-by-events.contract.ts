import { expect, test } from "vitest";
import { MAX_RELEASES_BY_EVENTS_PER_DAY } from "../../../domain/releases/name-releases.ts";
import { DAY_MS, HOUR_MS } from "../../../domain/time.ts";
import {
  apply,
  type CreateStateDatabase,
  EVERYTHING,
  JOURNAL,
  NOON,
  occurrence,
  openStore,
  scopeOf,
  setStatus,
  titlesOf,
} from "./fixture.ts";

export function describeReleasesByEvents(createDatabase: CreateStateDatabase): void {
  test("events make the release that they name, link it to their project, and are counted", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, [
      occurrence(0, "a", { release: "web@1", at: NOON + 5, receivedAt: NOON + 9 }),
      occurrence(1, "b", { release: "web@1", at: NOON - 5 }),
      occurrence(2, "a", { release: "web@1", at: NOON }),
      occurrence(3, "c", { release: "web@1", projectId: 2, at: NOON + 1 }),
      occurrence(4, "d"),
    ]);
    await apply(store, [occurrence(5, "a", { release: "web@1", at: NOON + 7 })]);
    expect(await store.releases.getRelease(EVERYTHING, "web@1")).toMatchObject({
      createdAt: NOON + 5,
      status: "open",
      projects: [
        { projectId: 1, firstEventAt: NOON - 5, lastEventAt: NOON + 7, eventCount: 4, newIssueCount: 2 },
        { projectId: 2, firstEventAt: NOON + 1, lastEventAt: NOON + 1, eventCount: 1, newIssueCount: 1 },
      ],
    });
    const { releases } = await store.releases.listReleases(EVERYTHING, {
      sort: "date",
      cursor: null,
      limit: 10,
    });
    expect(releases).toHaveLength(1);
  });

  test("a batch that is applied again counts nothing twice", async () => {
    await using store = await openStore(createDatabase);
    const batch = {
      journalId: JOURNAL,
      upTo: 2,
      occurrences: [occurrence(0, "a", { release: "1" }), occurrence(1, "a", { release: "1" })],
      outcomes: [],
    };
    await store.batches.applyBatch(batch);
    await store.batches.applyBatch(batch);
    expect((await store.releases.getRelease(EVERYTHING, "1"))?.projects[0]?.eventCount).toBe(2);
  });

  test("deleted events leave the counts of their release, those too that come after their issue was deleted", async () => {
    await using store = await openStore(createDatabase);
    const named = { release: " web@1 " };
    const [a, b] = await apply(store, [occurrence(0, "a", named), occurrence(1, "b", named), occurrence(2, "a")]);
    const project = async () => (await store.releases.getRelease(EVERYTHING, "web@1"))?.projects[0];
    const happened = { occurredAt: NOON, environment: null, userKey: null, ...named };
    const note = async (sequence: number, issueId = 0) => {
      const [open] = await store.deletionWork.listOpen(1);
      const { eventId } = occurrence(sequence, "a");
      const items = [{ category: "error", quantity: 1, receivedAt: NOON }];
      const event = { projectId: 1, eventId, occurrence: { issueId, ...happened }, items };
      await store.deletionWork.noteEvents(open?.id ?? 0, [event]);
    };
    await store.deletions.deleteIssues(EVERYTHING, { userId: null, at: NOON + 10, issueIds: [a?.issueId ?? 0] });
    await note(0, a?.issueId);
    await note(0, a?.issueId);
    expect(await project()).toMatchObject({ eventCount: 1, firstEventAt: NOON });
    await apply(store, [occurrence(3, "a", named)]);
    await note(3, a?.issueId);
    expect(await project()).toMatchObject({ eventCount: 1, lastEventAt: NOON });
    await note(1, b?.issueId);
    expect(await project()).toMatchObject({ eventCount: 0, firstEventAt: null, lastEventAt: null });
    expect(await store.releases.deleteRelease(EVERYTHING, "web@1")).toBe("deleted");
  });

  test("what may not name a release makes none, and the event counts all the same", async () => {
    await using store = await openStore(createDatabase);
    const names = ["", " ", "a/b", "latest", "..", "a\nb", "x".repeat(201)];
    const [first] = await apply(
      store,
      names.map((release, index) => occurrence(index, "a", { release })),
    );
    expect((await store.releases.listReleases(EVERYTHING, { sort: "date", cursor: null, limit: 10 })).releases).toEqual(
      [],
    );
    expect(await store.issues.getIssue(EVERYTHING, first?.issueId ?? 0)).toMatchObject({
      eventCount: names.length,
      firstRelease: null,
      lastRelease: null,
    });
  });

  test("of a project and day so many are made, and events of further ones count all the same", async () => {
    await using store = await openStore(createDatabase);
    const named = (first: number, count: number, change: object = {}) =>
      Array.from({ length: count }, (_, index) => {
        const sequence = first + index;
        return occurrence(sequence, "a", { release: `made ${sequence}`, at: NOON + sequence, ...change });
      });
    await store.releases.saveRelease(EVERYTHING, { version: "by the build", projectIds: [1], at: NOON });
    await apply(store, named(0, MAX_RELEASES_BY_EVENTS_PER_DAY - 1));
    // The second event of a release takes no second place.
    await apply(store, named(2_000, 2, { release: "last" }));
    expect(await store.releases.listLeftOutReleases(EVERYTHING, NOON)).toEqual([]);
    const batch = [
      ...named(3_000, 2, { release: "one too many" }),
      ...named(3_002, 1),
      ...named(3_003, 1, { release: "made 5" }),
      ...named(3_004, 1, { release: "by the build" }),
      ...named(3_005, 1, { release: "other", projectId: 2 }),
    ];
    const [assigned] = await apply(store, batch);
    // As after a crash.
    await apply(store, batch);
    expect(await store.releases.listLeftOutReleases(scopeOf(1), NOON)).toEqual([
      { projectId: 1, dayAt: NOON - 12 * HOUR_MS, eventCount: 3, lastVersion: "made 3002" },
    ]);
    expect(await store.releases.listLeftOutReleases(scopeOf(2), NOON)).toEqual([]);
    expect(await store.releases.getRelease(EVERYTHING, "one too many")).toBeNull();
    expect((await store.releases.getRelease(EVERYTHING, "made 5"))?.projects).toMatchObject([
      { projectId: 1, eventCount: 2 },
    ]);
    expect((await store.releases.getRelease(EVERYTHING, "by the build"))?.projects).toMatchObject([
      { projectId: 1, eventCount: 1 },
    ]);
    expect(await store.releases.getRelease(EVERYTHING, "other")).not.toBeNull();
    expect(await store.issues.getIssue(EVERYTHING, assigned?.issueId ?? 0)).toMatchObject({
      eventCount: MAX_RELEASES_BY_EVENTS_PER_DAY - 1 + 2 + 5,
      lastRelease: "by the build",
    });
    // It is when they arrive that counts, not what their clocks say.
    await apply(store, named(4_000, 1, { release: "tomorrow", at: NOON, receivedAt: NOON + DAY_MS }));
    expect(await store.releases.getRelease(EVERYTHING, "tomorrow")).toMatchObject({ createdAt: NOON });
    expect(await store.releases.listLeftOutReleases(EVERYTHING, NOON + DAY_MS)).toEqual([]);
    await store.dropBefore(NOON + 3 * DAY_MS);
    expect(await store.releases.listLeftOutReleases(EVERYTHING, 0)).toEqual([]);
  });

  test("an issue knows the releases of its earliest and of its latest event, by their clocks", async () => {
    await using store = await openStore(createDatabase);
    const [made] = await apply(store, [
      occurrence(0, "a", { release: "2.0", at: NOON }),
      occurrence(1, "a", { release: "1.0", at: NOON - HOUR_MS }),
      occurrence(2, "a", { release: "1.5", at: NOON - 1 }),
    ]);
    const releasesOf = async () => {
      const issue = await store.issues.getIssue(EVERYTHING, made?.issueId ?? 0);
      return [issue?.firstRelease, issue?.lastRelease];
    };
    expect(await releasesOf()).toEqual(["1.0", "2.0"]);
    await apply(store, [occurrence(3, "a", { release: "0.9", at: NOON + 1 })]);
    expect(await releasesOf()).toEqual(["1.0", "0.9"]);
    await apply(store, [
      occurrence(4, "a", { release: null, at: NOON + 2 }),
      occurrence(5, "a", { release: "0.5", at: NOON - 2 * HOUR_MS }),
    ]);
    expect(await releasesOf()).toEqual(["0.5", null]);
    expect((await store.releases.getRelease(EVERYTHING, "1.0"))?.projects[0]?.newIssueCount).toBe(0);
    expect((await store.releases.getRelease(EVERYTHING, "0.5"))?.projects[0]?.newIssueCount).toBe(1);
  });

  test("issues are found by the release of their first event, and by any of their releases", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, [
      occurrence(0, "a", { release: "1.0", at: NOON }),
      occurrence(1, "b", { release: "1.0", at: NOON + 1 }),
      occurrence(2, "c", { release: "1.1", at: NOON + 2 }),
      occurrence(3, "d", { at: NOON + 3 }),
    ]);
    await apply(store, [
      occurrence(4, "a", { release: "1.1", at: NOON + 4 }),
      occurrence(5, "a", { release: "1.0", at: NOON + 5 }),
    ]);
    expect(await titlesOf(store, { firstRelease: "1.0" })).toEqual(["Error of a", "Error of b"]);
    expect(await titlesOf(store, { firstRelease: "1.1" })).toEqual(["Error of c"]);
    expect(await titlesOf(store, { firstRelease: "nobody" })).toEqual([]);
    expect(await titlesOf(store, { release: "1.1" })).toEqual(["Error of a", "Error of c"]);
    expect(await titlesOf(store, { release: "1.1", firstRelease: "1.0" })).toEqual(["Error of a"]);
    expect(await titlesOf(store, { release: "1.1", text: ["of c"] })).toEqual(["Error of c"]);
    expect(await titlesOf(store, { release: "1.0", environments: ["production"], sort: "events" })).toEqual([
      "Error of a",
      "Error of b",
    ]);
    expect(await titlesOf(store, { release: "nobody" })).toEqual([]);
  });

  test.each(["last_seen", "first_seen", "events", "users"] as const)(
    "a release with more issues than are counted is listed by %s",
    async (sort) => {
      await using database = await createDatabase();
      const store = await database.connect();
      await apply(
        store,
        Array.from({ length: 1_100 }, (_, index) =>
          occurrence(index, `h${index}`, { release: index < 1_050 ? "1.0" : "1.1", at: NOON + index }),
        ),
      );
      for (const filter of [{ release: "1.0" }, { firstRelease: "1.0" }]) {
        const page = await store.issues.listIssues(EVERYTHING, {
          from: null,
          to: null,
          sort,
          cursor: null,
          limit: 2,
          ...filter,
        });
        expect(page.issues.map(({ title }) => title)).toEqual(["Error of h1049", "Error of h1048"]);
        expect(page.matchingCount).toBe(1_000);
      }
    },
  );

  test("the issues of a release are those that are new in it, came back with it, or are resolved in it", async () => {
    await using store = await openStore(createDatabase);
    const ids = (
      await apply(store, [
        occurrence(0, "a", { release: "1.0", at: NOON }),
        occurrence(1, "b", { release: "1.0", at: NOON + 1, projectId: 2 }),
        occurrence(2, "c", { release: "1.0", at: NOON + 2 }),
      ])
    ).map(({ issueId }) => issueId);
    const [a = 0, b = 0, c = 0] = ids;
    await setStatus(store, [a, c], "resolved", NOON + 5);
    await apply(store, [occurrence(3, "a", { release: "1.1", at: NOON + 6 })]);
    await store.issues.changeIssueStatus(EVERYTHING, {
      issueIds: [b],
      status: "resolved",
      resolution: { kind: "release", version: "1.1" },
      userId: null,
      at: NOON + 7,
    });
    expect(await store.releases.listReleaseIssues(EVERYTHING, "1.0")).toEqual({
      newIssueIds: [c, b, a],
      regressedIssueIds: [],
      resolvedIssueIds: [],
    });
    expect(await store.releases.listReleaseIssues(EVERYTHING, "1.1")).toEqual({
      newIssueIds: [],
      regressedIssueIds: [a],
      resolvedIssueIds: [b],
    });
    expect((await store.releases.listReleaseIssues(scopeOf(2), "1.0")).newIssueIds).toEqual([b]);
    expect((await store.releases.listReleaseIssues(scopeOf(1), "1.1")).resolvedIssueIds).toEqual([]);
    expect(await store.releases.listReleaseIssues(EVERYTHING, "nobody")).toEqual({
      newIssueIds: [],
      regressedIssueIds: [],
      resolvedIssueIds: [],
    });
  });

  test("two releases are compared by the issues that have events of them", async () => {
    await using store = await openStore(createDatabase);
    const made = await apply(store, [
      occurrence(0, "gone", { release: "1.0", at: NOON }),
      occurrence(1, "both", { release: "1.0", at: NOON + 1 }),
      occurrence(2, "both", { release: "2.0", at: NOON + 2 }),
      occurrence(3, "new", { release: "2.0", at: NOON + 3 }),
      occurrence(4, "newer", { release: "2.0", at: NOON + 4 }),
      occurrence(5, "elsewhere", { release: "2.0", at: NOON + 5, projectId: 2 }),
      occurrence(6, "none", { at: NOON + 6 }),
    ]);
    const ids = made.map(({ issueId }) => issueId);
    expect(await store.releases.compareReleaseIssues(scopeOf(1), "2.0", "1.0")).toEqual({
      only: { count: 2, issueIds: [ids[4], ids[3]] },
      both: { count: 1, issueIds: [ids[1]] },
      gone: { count: 1, issueIds: [ids[0]] },
    });
    expect((await store.releases.compareReleaseIssues(EVERYTHING, "2.0", "1.0")).only.issueIds).toEqual([
      ids[5],
      ids[4],
      ids[3],
    ]);
    expect(await store.releases.compareReleaseIssues(scopeOf(1), "2.0", "nobody")).toMatchObject({
      only: { count: 3 },
      both: { count: 0 },
      gone: { count: 0 },
    });
  });

  test("sessions make the release that they name, and count as no event; a batch that comes again makes it once", async () => {
    await using store = await openStore(createDatabase);
    const sighting = { sequence: 3, projectId: 1, release: "web@3", occurredAt: NOON - 5, receivedAt: NOON };
    const batch = { journalId: JOURNAL, upTo: 4, occurrences: [], outcomes: [], releases: [sighting] };
    await store.batches.applyBatch(batch);
    await store.batches.applyBatch(batch);
    expect(await store.releases.getRelease(EVERYTHING, "web@3")).toMatchObject({
      createdAt: NOON - 5,
      projects: [{ projectId: 1, firstEventAt: null, lastEventAt: null, eventCount: 0 }],
    });
  });
}

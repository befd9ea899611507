import { expect, test } from "vitest";
import { apply, type CreateStateDatabase, HOUR_MS, JOURNAL, NOON, occurrence, titlesOf } from "./fixture.ts";

export function describeReleasesByEvents(createDatabase: CreateStateDatabase): void {
  test("events make the release that they name, link it to their project, and are counted", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    await apply(store, [
      occurrence(0, "a", { release: "web@1", at: NOON + 5, receivedAt: NOON + 9 }),
      occurrence(1, "b", { release: "web@1", at: NOON - 5 }),
      occurrence(2, "a", { release: "web@1", at: NOON }),
      occurrence(3, "c", { release: "web@1", projectId: 2, at: NOON + 1 }),
      occurrence(4, "d"),
    ]);
    await apply(store, [occurrence(5, "a", { release: "web@1", at: NOON + 7 })]);
    expect(await store.getRelease("web@1")).toMatchObject({
      createdAt: NOON + 5,
      status: "open",
      projects: [
        { projectId: 1, firstEventAt: NOON - 5, lastEventAt: NOON + 7, eventCount: 4, newIssueCount: 2 },
        { projectId: 2, firstEventAt: NOON + 1, lastEventAt: NOON + 1, eventCount: 1, newIssueCount: 1 },
      ],
    });
    const { releases } = await store.listReleases({ projectIds: null, sort: "date", cursor: null, limit: 10 });
    expect(releases).toHaveLength(1);
  });

  test("a batch that is applied again counts nothing twice", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const batch = {
      journalId: JOURNAL,
      upTo: 2,
      occurrences: [occurrence(0, "a", { release: "1" }), occurrence(1, "a", { release: "1" })],
      outcomes: [],
    };
    await store.applyBatch(batch);
    await store.applyBatch(batch);
    expect((await store.getRelease("1"))?.projects[0]?.eventCount).toBe(2);
  });

  test("what may not name a release makes none, and the event counts all the same", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const names = ["", " ", "a/b", "latest", "..", "a\nb", "x".repeat(251)];
    const [first] = await apply(
      store,
      names.map((release, index) => occurrence(index, "a", { release })),
    );
    expect((await store.listReleases({ projectIds: null, sort: "date", cursor: null, limit: 10 })).releases).toEqual(
      [],
    );
    expect(await store.getIssue(first?.issueId ?? 0)).toMatchObject({
      eventCount: names.length,
      firstRelease: null,
      lastRelease: null,
    });
  });

  test("an issue knows the releases of its earliest and of its latest event, by their clocks", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const [made] = await apply(store, [
      occurrence(0, "a", { release: "2.0", at: NOON }),
      occurrence(1, "a", { release: "1.0", at: NOON - HOUR_MS }),
      occurrence(2, "a", { release: "1.5", at: NOON - 1 }),
    ]);
    const releasesOf = async () => {
      const issue = await store.getIssue(made?.issueId ?? 0);
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
    expect((await store.getRelease("1.0"))?.projects[0]?.newIssueCount).toBe(0);
    expect((await store.getRelease("0.5"))?.projects[0]?.newIssueCount).toBe(1);
  });

  test("issues are found by the release of their first event, and by any of their releases", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
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
        const page = await store.listIssues({
          projectIds: null,
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
    await using database = await createDatabase();
    const store = await database.connect();
    const ids = (
      await apply(store, [
        occurrence(0, "a", { release: "1.0", at: NOON }),
        occurrence(1, "b", { release: "1.0", at: NOON + 1, projectId: 2 }),
        occurrence(2, "c", { release: "1.0", at: NOON + 2 }),
      ])
    ).map(({ issueId }) => issueId);
    const [a = 0, b = 0, c = 0] = ids;
    await store.changeIssueStatus({ issueIds: [a, c], status: "resolved", userId: null, at: NOON + 5 });
    await apply(store, [occurrence(3, "a", { release: "1.1", at: NOON + 6 })]);
    await store.changeIssueStatus({
      issueIds: [b],
      status: "resolved",
      resolution: { kind: "release", version: "1.1" },
      userId: null,
      at: NOON + 7,
    });
    expect(await store.listReleaseIssues("1.0", null)).toEqual({
      newIssueIds: [c, b, a],
      regressedIssueIds: [],
      resolvedIssueIds: [],
    });
    expect(await store.listReleaseIssues("1.1", null)).toEqual({
      newIssueIds: [],
      regressedIssueIds: [a],
      resolvedIssueIds: [b],
    });
    expect((await store.listReleaseIssues("1.0", [2])).newIssueIds).toEqual([b]);
    expect((await store.listReleaseIssues("1.1", [1])).resolvedIssueIds).toEqual([]);
    expect(await store.listReleaseIssues("nobody", null)).toEqual({
      newIssueIds: [],
      regressedIssueIds: [],
      resolvedIssueIds: [],
    });
  });

  test("two releases are compared by the issues that have events of them", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
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
    expect(await store.compareReleaseIssues("2.0", "1.0", [1])).toEqual({
      only: { count: 2, issueIds: [ids[4], ids[3]] },
      both: { count: 1, issueIds: [ids[1]] },
      gone: { count: 1, issueIds: [ids[0]] },
    });
    expect((await store.compareReleaseIssues("2.0", "1.0", null)).only.issueIds).toEqual([ids[5], ids[4], ids[3]]);
    expect(await store.compareReleaseIssues("2.0", "nobody", [1])).toMatchObject({
      only: { count: 3 },
      both: { count: 0 },
      gone: { count: 0 },
    });
  });
}

import { expect, test } from "vitest";
import { MAX_EXTERNAL_ISSUES } from "../../../domain/issues/tracker.ts";
import {
  apply,
  type CreateStateDatabase,
  createProject,
  EVERYTHING,
  NOON,
  occurrence,
  openStore,
  scopeOf,
} from "./fixture.ts";

/** Two issues of the project `web`. */
async function open(createDatabase: CreateStateDatabase) {
  const store = await openStore(createDatabase, { now: () => NOON });
  const web = await createProject(store, "web");
  const api = await createProject(store, "api");
  const [a, b] = await apply(store, [occurrence(0, "a", { projectId: web }), occurrence(1, "b", { projectId: web })]);
  return { ...store, web, api, a: a?.issueId ?? 0, b: b?.issueId ?? 0 };
}

const linkOf = (issueId: number, number: number) => ({
  ...{ issueId, url: `https://github.com/acme/shop/issues/${number}`, name: `acme/shop#${number}` },
  ...{ userId: null, at: NOON },
});

export function describeExternalIssues(createDatabase: CreateStateDatabase): void {
  test("an issue is linked to a task elsewhere once, and the activity says so", async () => {
    await using of = await open(createDatabase);
    const { externalIssues, issues, a, api } = of;
    expect(await externalIssues.addExternalIssue(scopeOf(api), linkOf(a, 1))).toEqual({
      ok: false,
      reason: "not-found",
    });
    const added = await externalIssues.addExternalIssue(EVERYTHING, linkOf(a, 1));
    expect(added).toMatchObject({ ok: true, link: { name: "acme/shop#1" } });
    expect(await externalIssues.addExternalIssue(EVERYTHING, linkOf(a, 1))).toEqual({ ok: false, reason: "known" });
    expect(await externalIssues.listExternalIssues(scopeOf(api), a)).toEqual([]);
    const linkId = added.ok ? added.link.id : 0;
    const removal = { issueId: a, linkId, userId: null, at: NOON };
    expect(await externalIssues.removeExternalIssue(scopeOf(api), removal)).toEqual({ ok: false, reason: "not-found" });
    expect(await externalIssues.removeExternalIssue(EVERYTHING, removal)).toMatchObject({ ok: true });
    expect(await externalIssues.listExternalIssues(EVERYTHING, a)).toEqual([]);
    expect((await issues.listActivity(EVERYTHING, a)).map(({ kind }) => kind).slice(0, 2)).toEqual([
      "unlinked",
      "linked",
    ]);
  });

  test("links have a bound, and follow a merge and its undo", async () => {
    await using of = await open(createDatabase);
    const { externalIssues, issueMerges, reprocessing, a, b } = of;
    for (let number = 0; number < MAX_EXTERNAL_ISSUES; number++)
      await externalIssues.addExternalIssue(EVERYTHING, linkOf(a, number));
    expect(await externalIssues.addExternalIssue(EVERYTHING, linkOf(a, 99))).toEqual({ ok: false, reason: "too-many" });
    await externalIssues.addExternalIssue(EVERYTHING, linkOf(b, 3));
    await externalIssues.addExternalIssue(EVERYTHING, linkOf(b, 77));
    const merged = await issueMerges.mergeIssues(EVERYTHING, {
      ...{ targetId: a, issueIds: [b], name: null, userId: null, at: NOON },
    });
    const names = async (id: number) =>
      (await externalIssues.listExternalIssues(EVERYTHING, id)).map(({ name }) => name);
    expect(await names(b)).toHaveLength(MAX_EXTERNAL_ISSUES + 1);
    await reprocessing.confirmMerges([b]);
    const mergeId = merged.ok ? (merged.merges[0]?.id ?? 0) : 0;
    expect(await issueMerges.undoMerge(EVERYTHING, { mergeId, userId: null, at: NOON })).toMatchObject({ ok: true });
    expect(await names(b)).toEqual(["acme/shop#3", "acme/shop#77"]);
  });

  test("a project has one tracker, of its own", async () => {
    await using of = await open(createDatabase);
    const { externalIssues, web, api } = of;
    const tracker = { kind: "github", address: "https://github.com/acme/shop" } as const;
    await externalIssues.setTracker(scopeOf(api), web, tracker);
    expect(await externalIssues.getTracker(EVERYTHING, web)).toBeNull();
    await externalIssues.setTracker(EVERYTHING, web, { ...tracker, kind: "gitlab" });
    await externalIssues.setTracker(EVERYTHING, web, tracker);
    expect(await externalIssues.getTracker(EVERYTHING, web)).toEqual(tracker);
    const where = { kind: "all" as const, parts: [] };
    const { entries } = await of.audit.listEntries(EVERYTHING, { where, before: null, limit: 1 });
    expect(entries).toMatchObject([{ action: "project.edit", target: { name: "web" } }]);
    expect(await externalIssues.getTracker(scopeOf(api), web)).toBeNull();
    await externalIssues.setTracker(EVERYTHING, web, null);
    expect(await externalIssues.getTracker(EVERYTHING, web)).toBeNull();
  });
}

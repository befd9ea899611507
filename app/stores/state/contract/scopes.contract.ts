import { expect, test } from "vitest";
import { DEFAULT_NOTIFICATION_SETTINGS } from "../../../domain/notification.ts";
import {
  apply,
  type CreateStateDatabase,
  createProject,
  JOURNAL,
  NO_DETAILS,
  NOON,
  occurrence,
  outcome,
  query,
  scopeOf,
} from "./fixture.ts";

/** Things of a project outside of the scope do not exist, whatever reads or changes them. */
export function describeScopes(createDatabase: CreateStateDatabase): void {
  async function fill() {
    const database = await createDatabase();
    const store = await database.connect();
    const own = await createProject(store, "own");
    const foreign = await createProject(store, "foreign");
    const assignments = await apply(store, [
      occurrence(0, "a", { projectId: own, release: "own@1" }),
      occurrence(1, "b", { projectId: foreign, release: "foreign@1", eventId: "b".repeat(32) }),
    ]);
    const [issueId = 0, foreignIssueId = 0] = assignments.map((assignment) => assignment.issueId);
    return {
      database,
      store,
      own,
      foreign,
      scope: scopeOf(own),
      foreignScope: scopeOf(foreign),
      issueId,
      foreignIssueId,
    };
  }

  test("projects and keys", async () => {
    const { database, store, own, foreign, scope, foreignScope } = await fill();
    await using _ = database;
    expect((await store.projects.listProjects(scope)).map(({ id }) => id)).toEqual([own]);
    expect(await store.projects.getProject(scope, foreign)).toBeNull();
    expect(await store.projects.getProjectBySlug(scope, "foreign")).toBeNull();
    expect(await store.projects.changeProject(scope, foreign, { name: "mine" })).toEqual({
      ok: false,
      reason: "not-found",
    });
    expect(await store.projects.listKeys(scope, foreign)).toEqual([]);
    const key = { projectId: foreign, label: "x", publicKey: "a".repeat(32), at: NOON };
    expect(await store.projects.createKey(scope, key)).toBeNull();
    const [foreignKey] = await store.projects.listKeys(foreignScope, foreign);
    expect(await store.projects.changeKey(scope, foreignKey?.id ?? 0, { isEnabled: false })).toBeNull();
    expect(await store.projects.deleteKey(scope, foreignKey?.id ?? 0)).toBe(false);
    expect(await store.projects.listKeys(foreignScope, foreign)).toEqual([foreignKey]);
  });

  test("issues", async () => {
    const { database, store, scope, foreignScope, issueId, foreignIssueId } = await fill();
    await using _ = database;
    const foreignIssue = await store.issues.getIssue(foreignScope, foreignIssueId);
    expect(foreignIssue).not.toBeNull();
    expect((await store.issues.listIssues(scope, query()[1])).issues.map(({ id }) => id)).toEqual([issueId]);
    expect(await store.issues.getIssue(scope, foreignIssueId)).toBeNull();
    expect(await store.issues.getIssueByShortId(scope, foreignIssue?.shortId ?? "")).toBeNull();
    expect((await store.issues.getIssues(scope, [foreignIssueId, issueId])).map(({ id }) => id)).toEqual([issueId]);
    const range = { from: NOON, to: NOON + 3_600_000, bucketMs: 3_600_000 };
    expect(await store.issues.listTrends(scope, [foreignIssueId], range)).toEqual(new Map([[foreignIssueId, [0]]]));
    expect(await store.issues.listActivity(scope, foreignIssueId)).toEqual([]);
    expect(await store.issues.listIssueHashes(scope, foreignIssueId)).toEqual([]);
    const change = { issueIds: [foreignIssueId], status: "resolved", userId: null, at: NOON } as const;
    expect(await store.issues.changeIssueStatus(scope, { ...change, issueIds: [...change.issueIds] })).toEqual([]);
    const previous = { issueId: foreignIssueId, status: "archived", substatus: "ongoing" } as const;
    await store.issues.restoreIssueStatuses(scope, [previous], { userId: null, at: NOON });
    expect(await store.issues.getIssue(foreignScope, foreignIssueId)).toEqual(foreignIssue);
  });

  test("releases", async () => {
    const { database, store, own, foreign, scope, foreignScope } = await fill();
    await using _ = database;
    const releases = store.releases;
    const page = await releases.listReleases(scope, { sort: "date", cursor: null, limit: 10 });
    expect(page.releases.map(({ version }) => version)).toEqual(["own@1"]);
    expect(await releases.getRelease(scope, "foreign@1")).toBeNull();
    expect(await releases.deleteRelease(scope, "foreign@1")).toBe("not-found");
    expect(await releases.getLatestRelease(scope, foreign)).toBeNull();
    await expect(releases.setCommits(scope, "foreign@1", [])).rejects.toThrow(RangeError);
    const head = { repository: "r", commitId: "a".repeat(40), previousCommitId: null };
    await expect(releases.setHeads(scope, "foreign@1", [head], NOON)).rejects.toThrow(RangeError);
    const deploy = { projectIds: null, environment: "e", name: null, url: null, startedAt: null, finishedAt: NOON };
    await expect(releases.addDeploy(scope, "foreign@1", deploy)).rejects.toThrow(RangeError);
    await releases.addDeploy(foreignScope, "foreign@1", deploy);
    expect(await releases.listDeploys(scope, "foreign@1")).toEqual([]);
    expect(await releases.listDeploysBetween(scope, NOON, NOON + 1)).toEqual([]);
    expect((await releases.listReleaseIssues(scope, "foreign@1")).newIssueIds).toEqual([]);
    expect((await releases.compareReleaseIssues(scope, "foreign@1", "own@1")).only.count).toBe(0);

    const archived = { version: "foreign@1", at: NOON, status: "archived" } as const;
    await expect(releases.saveRelease(scope, { ...archived, projectIds: [] })).rejects.toThrow(RangeError);
    expect(await releases.getRelease(foreignScope, "foreign@1")).toMatchObject({ status: "open" });
    const shared = await releases.saveRelease(scope, { version: "shared@1", projectIds: [own, foreign], at: NOON });
    expect(shared.release.projects.map(({ projectId }) => projectId)).toEqual([own]);
    expect(await releases.getRelease(foreignScope, "shared@1")).toBeNull();
  });

  test("a release of two projects goes from one of them, and stays with the other", async () => {
    const { database, store, own, foreign, scope, foreignScope } = await fill();
    await using _ = database;
    const releases = store.releases;
    await releases.saveRelease(scopeOf(own, foreign), { version: "both@1", projectIds: [own, foreign], at: NOON });
    expect(await releases.deleteRelease(scope, "both@1")).toBe("deleted");
    expect(await releases.getRelease(scope, "both@1")).toBeNull();
    expect(await releases.getRelease(foreignScope, "both@1")).not.toBeNull();
  });

  test("uploads", async () => {
    const { database, store, own, foreign, scope, foreignScope } = await fill();
    await using _ = database;
    const debugId = "d".repeat(32);
    const bundle = {
      checksum: "c",
      container: "zip",
      debugId: null,
      note: null,
      bytes: 1,
      uploadedAt: NOON,
      uploadedBy: null,
      releases: [{ version: "foreign@1", dist: null }],
    } as const;
    const file = {
      path: "a.js.map",
      type: "source_map",
      url: "~/a.js.map",
      debugId,
      sourceMapUrl: null,
      bytes: 1,
    } as const;
    const input = { ...bundle, releases: [...bundle.releases], projectIds: [foreign] };
    const { id } = await store.artifacts.saveArtifactBundle(foreignScope, input, [file]);
    expect(await store.artifacts.getArtifactBundle(scope, id)).toBeNull();
    expect(await store.artifacts.findArtifactBundle(scope, "c")).toBeNull();
    expect((await store.artifacts.listArtifactBundles(scope, { cursor: null, limit: 10 })).bundles).toEqual([]);
    expect(await store.artifacts.listArtifactFiles(scope, id)).toEqual([]);
    expect(await store.artifacts.findFilesByDebugId(scope, foreign, [debugId])).toEqual([]);
    const where = { projectId: foreign, release: "foreign@1", dist: null };
    expect(await store.artifacts.findFilesByUrl(scope, where, ["~/a.js.map"])).toEqual([]);
    expect(await store.artifacts.countReleaseScripts(scope, where)).toEqual({ count: 0, mappedCount: 0 });
    expect(await store.artifacts.deleteArtifactBundle(scope, id)).toBeNull();

    await store.artifacts.saveArtifactBundle(scopeOf(own, foreign), { ...input, projectIds: [own] }, [file]);
    expect((await store.artifacts.getArtifactBundle(scope, id))?.projectIds).toEqual([own]);
    expect(await store.artifacts.deleteArtifactBundle(scope, id)).toEqual({ freedChecksum: null });
    expect(await store.artifacts.deleteArtifactBundle(foreignScope, id)).toEqual({ freedChecksum: "c" });
  });

  test("the ledger", async () => {
    const { database, store, own, foreign, scope } = await fill();
    await using _ = database;
    await store.outcomes.addOutcomes([
      outcome({ projectId: own, quantity: 1 }),
      outcome({ projectId: foreign, quantity: 10 }),
    ]);
    const range = { from: NOON, to: NOON + 1, bucketMs: null, groupBy: [] };
    expect(await store.outcomes.sumOutcomes(scope, range)).toMatchObject([{ quantity: 1 }]);
  });

  test("monitors", async () => {
    const { database, store, own, foreign, scope } = await fill();
    await using _ = database;
    const checkIn = { environment: "production", status: "ok" as const, ...NO_DETAILS, receivedAt: NOON };
    await store.batches.applyBatch({
      journalId: JOURNAL,
      upTo: 12,
      occurrences: [],
      outcomes: [],
      checkIns: [
        { ...checkIn, sequence: 10, projectId: own, slug: "own" },
        { ...checkIn, sequence: 11, projectId: foreign, slug: "foreign" },
      ],
    });
    const { monitors } = await store.monitors.listMonitors(scope, { cursor: null, limit: 100 });
    expect(monitors.map(({ slug }) => slug)).toEqual(["own"]);
  });

  test("notifications", async () => {
    const { database, store, foreign, scope, foreignScope } = await fill();
    await using _ = database;
    const silent = { ...DEFAULT_NOTIFICATION_SETTINGS, emails: [] };
    await store.notifications.saveNotificationSettings(foreignScope, foreign, silent);
    await store.notifications.saveNotificationSettings(scope, foreign, { ...silent, emails: ["eve@example.com"] });
    expect(await store.notifications.getNotificationSettings(foreignScope, foreign)).toEqual(silent);
    expect(await store.notifications.getNotificationSettings(scope, foreign)).toEqual(DEFAULT_NOTIFICATION_SETTINGS);

    const { outbox, deliveries } = store;
    const target = { projectId: foreign, channel: "email" as const, address: "ada@example.com" };
    const item = { transition: "new" as const, issueId: 1, eventId: "e".repeat(32), at: NOON, release: null };
    await outbox.addReader("reader");
    const news = [{ target, items: [item] }];
    await deliveries.enqueue({ reader: "reader", position: 100, news, now: NOON, createKey: () => "key" });
    const delivery = await deliveries.claim({ now: NOON, retryAt: () => NOON });
    if (!delivery) throw new Error("no delivery is due");
    const failed = { at: NOON, failure: "550", retryAt: null, nextMessageAt: NOON };
    await deliveries.fail(delivery, failed);
    expect(await deliveries.listDead(scope, foreign)).toEqual([]);
    expect(await deliveries.listChannels(scope, foreign)).toEqual([]);
    const filter = { withPeople: true, ids: [delivery.id], now: NOON };
    expect(await store.undelivered.list(scope, filter)).toEqual([]);
    expect(await store.undelivered.count(scope, filter)).toEqual({ failing: 0, dead: 0 });
    expect(await store.undelivered.retry(scope, filter)).toBe(0);
    expect(await store.undelivered.drop(scope, filter)).toEqual([]);
    expect(await store.undelivered.restore(scope, filter)).toBe(0);
    await deliveries.keepTargets(scope, foreign, [], NOON);
    await deliveries.noteTest(scope, target, { at: NOON, isOk: true, answer: "250" });
    expect(await deliveries.listDead(foreignScope, foreign)).toHaveLength(1);
    expect(await deliveries.listChannels(foreignScope, foreign)).toMatchObject([{ lastAnswer: null }]);
  });
}

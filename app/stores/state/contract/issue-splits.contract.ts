import { expect, test } from "vitest";
import { MAX_SPLIT_ISSUES } from "../../../domain/grouping-rules/issue-split.ts";
import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import type { State } from "../state.ts";
import {
  apply,
  type CreateStateDatabase,
  createProject,
  EVERYTHING,
  groupingOf,
  NOON,
  occurrence,
  scopeOf,
} from "./fixture.ts";

interface SplitFixture {
  projectId: number;
  issueId: number;
  splitId: number;
}

/** An issue of the hash `a`, split by a tag. */
async function split(store: State): Promise<SplitFixture> {
  const projectId = await createProject(store, "split");
  const [assigned] = await apply(store, [occurrence(0, "a", { projectId })]);
  const issueId = assigned?.issueId ?? 0;
  const change = { issueId, variable: "tags.bank", name: "Banks", userId: null, at: NOON };
  const made = await store.issueSplits.splitIssue(EVERYTHING, change);
  if (!made.ok) throw new Error(made.reason);
  return { projectId, issueId, splitId: made.split.id };
}

/** An event of a value, as the split groups it. */
function ofValue(sequence: number, value: string, { projectId, splitId }: SplitFixture): IssueOccurrence {
  const hash = `a ${value}`;
  const ruling = { split: { id: splitId, name: "Banks", variable: "tags.bank", value, rest: "a" } };
  return occurrence(sequence, hash, {
    projectId,
    hashes: [hash, `${hash} of all frames`],
    grouping: { ...groupingOf(hash), ruling },
  });
}

export function describeIssueSplits(createDatabase: CreateStateDatabase): void {
  test("a split is a rule for the digest, asks the job for the stored events, and is listed", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const before = await store.groupingRuleIndex.version();
    const fixture = await split(store);
    const { projectId, issueId, splitId } = fixture;
    expect(await store.groupingRuleIndex.version()).toBeGreaterThan(before);
    expect(await store.groupingRuleIndex.listRules()).toEqual([
      {
        projectId,
        fingerprintRules: "",
        stackRules: "",
        splits: [{ id: splitId, name: "Banks", variable: "tags.bank", hashes: ["a"] }],
      },
    ]);
    expect(await store.regroupingRequests.listRequests(10)).toMatchObject([{ issueId, projectId, byRules: true }]);
    await store.regroupingRequests.noteProgress({ issueId, askedAt: NOON, doneCount: 400 });
    expect(await store.issueSplits.listMovingIssues(EVERYTHING, projectId)).toEqual([{ issueId, doneCount: 400 }]);
    expect(await store.issueSplits.listMovingIssues(scopeOf(), projectId)).toEqual([]);
    const [one] = await apply(store, [ofValue(1, "Nord", fixture)]);
    expect(one?.issueId).not.toBe(issueId);
    const listed = [{ id: splitId, name: "Banks", issue: { issueId }, issueCount: 1, eventCount: 1, undoneAt: null }];
    expect(await store.issueSplits.listSplits(EVERYTHING, { projectId })).toMatchObject(listed);
    expect(await store.issueSplits.listSplits(EVERYTHING, { projectId, issueId: one?.issueId ?? 0 })).toMatchObject(
      listed,
    );
    expect(await store.issueSplits.listSplits(scopeOf(), { projectId })).toEqual([]);
    expect(await store.issueSplits.renameSplit(scopeOf(), { splitId, name: "y" })).toBe(false);
    expect(await store.issueSplits.renameSplit(EVERYTHING, { splitId, name: "y" })).toBe(true);
    expect(await store.issueSplits.listSplits(EVERYTHING, { projectId })).toMatchObject([
      { name: "y", decidedCount: 1, decidedAt: NOON },
    ]);
    const again = { issueId, variable: "tags.bank", name: "x", userId: null, at: NOON };
    expect(await store.issueSplits.splitIssue(EVERYTHING, again)).toEqual({ ok: false, reason: "same-before" });
    expect(await store.issueSplits.splitIssue(scopeOf(), again)).toEqual({ ok: false, reason: "not-found" });
  });

  test("values beyond the limit stay together, in one batch and in later ones", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const fixture = await split(store);
    const values = Array.from({ length: MAX_SPLIT_ISSUES + 2 }, (_, at) => ofValue(at + 1, `bank ${at}`, fixture));
    const assigned = await apply(store, values);
    const issueIds = assigned.map(({ issueId }) => issueId);
    expect(new Set(issueIds.slice(0, MAX_SPLIT_ISSUES)).size).toBe(MAX_SPLIT_ISSUES);
    expect(issueIds.slice(MAX_SPLIT_ISSUES)).toEqual([fixture.issueId, fixture.issueId]);
    const later = await apply(store, [ofValue(100, "late", fixture), ofValue(101, "bank 3", fixture)]);
    expect(later.map(({ issueId }) => issueId)).toEqual([fixture.issueId, issueIds[3]]);
  });

  test("stored events that move count against the limit, and the issue that was split goes on without events", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const fixture = await split(store);
    const { issueId } = fixture;
    const event = ofValue(0, "Nord", fixture);
    const groups = [
      { hashes: event.hashes, grouping: event.grouping, headline: event, events: [event], kin: null, earlier: null },
    ];
    const byRules = { cause: "split", mayEnd: false } as const;
    const moved = await store.reprocessing.regroupEvents({
      fromIssueId: issueId,
      at: NOON,
      groups,
      isComplete: true,
      byRules,
    });
    expect(moved).toMatchObject({ issues: [{ outcome: "split_off", eventCount: 1 }], mergedInto: null });
    const nord = moved.issues[0]?.issueId ?? 0;
    expect(await store.issues.getIssue(EVERYTHING, issueId)).toMatchObject({ eventCount: 0 });
    expect(await store.reprocessing.recountIssue({ issueId, groups: [] })).toBe(true);
    expect(await store.issues.getIssue(EVERYTHING, issueId)).toMatchObject({ userCount: 0 });
    expect((await store.issues.listActivity(EVERYTHING, nord))[0]).toMatchObject({
      kind: "split_off",
      data: { cause: "split" },
    });
    expect(await apply(store, [ofValue(1, "Nord", fixture)])).toMatchObject([{ issueId: nord }]);
  });

  test("undone, it is no rule any more, and what came of it is named to the job", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const fixture = await split(store);
    const { projectId, issueId, splitId } = fixture;
    const [nord] = await apply(store, [ofValue(1, "Nord", fixture)]);
    expect(await store.regroupingRequests.listUndoneSplitIssues(issueId)).toEqual([]);
    const undo = { splitId, userId: null, at: NOON + 1 };
    expect(await store.issueSplits.undoSplit(scopeOf(), undo)).toEqual({ ok: false, reason: "not-found" });
    expect(await store.issueSplits.undoSplit(EVERYTHING, undo)).toMatchObject({
      ok: true,
      split: { undoneAt: NOON + 1 },
    });
    expect(await store.issueSplits.undoSplit(EVERYTHING, undo)).toEqual({ ok: false, reason: "undone-before" });
    expect(await store.groupingRuleIndex.listRules()).toEqual([]);
    expect(await store.regroupingRequests.listUndoneSplitIssues(issueId)).toEqual([nord?.issueId]);
    const again = { issueId, variable: "tags.bank", name: "x", userId: null, at: NOON };
    expect(await store.issueSplits.splitIssue(EVERYTHING, again)).toMatchObject({ ok: true });
    expect((await store.issueSplits.listSplits(EVERYTHING, { projectId })).map(({ undoneAt }) => undoneAt)).toEqual([
      null,
      NOON + 1,
    ]);
  });

  test("a split follows its issue into a merge and back, and goes with it", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const { projectId, issueId, splitId } = await split(store);
    const [other] = await apply(store, [occurrence(1, "b", { projectId })]);
    const targetId = other?.issueId ?? 0;
    const change = { targetId, issueIds: [issueId], name: null, userId: null, at: NOON };
    const merged = await store.issueMerges.mergeIssues(EVERYTHING, change);
    const issueOf = async () => (await store.issueSplits.listSplits(EVERYTHING, { projectId }))[0]?.issue.issueId;
    expect(await issueOf()).toBe(targetId);
    await store.reprocessing.confirmMerges([issueId]);
    const mergeId = merged.ok ? (merged.merges[0]?.id ?? 0) : 0;
    await store.issueMerges.undoMerge(EVERYTHING, { mergeId, userId: null, at: NOON + 1 });
    expect(await issueOf()).toBe(issueId);
    const version = await store.groupingRuleIndex.version();
    await store.deletions.deleteIssues(EVERYTHING, { issueIds: [issueId], userId: null, at: NOON + 2 });
    expect(await store.groupingRuleIndex.listRules()).toEqual([]);
    expect(await store.groupingRuleIndex.version()).toBeGreaterThan(version);
    expect(await store.issueSplits.undoSplit(EVERYTHING, { splitId, userId: null, at: NOON })).toMatchObject({
      ok: false,
    });
  });
}

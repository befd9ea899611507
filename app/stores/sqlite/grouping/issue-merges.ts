import type { IssueMerge } from "../../../domain/issues/issue-merge.ts";
import type { KnownIssue } from "../../../domain/issues/known-issue.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import type { IssueMergeStore } from "../../state/issue-merge-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { addActivity } from "../issues/issue-status.ts";
import { loadIssue } from "../issues/load-issues.ts";
import { mergeIssue } from "../reprocessing/merge-issue.ts";
import { toCurrentIssueIds } from "../reprocessing/merged-issues.ts";
import { readSnapshot, restoreSnapshot } from "./issue-snapshot.ts";
import { setKeysAside, takeKeysBack } from "./once-merged.ts";
import { requestRegrouping } from "./regrouping-requests.ts";

const MAX_LISTED = 200;

interface MergeRow {
  id: number;
  projectId: number;
  name: string;
  targetId: number;
  targetShortId: string;
  targetTitle: string;
  issueId: number;
  shortId: string;
  title: string;
  hashes: string;
  mergedAt: number;
  mergedBy: string | null;
  undoneAt: number | null;
  undoneBy: string | null;
  isOnce: number;
  decidedCount: number;
  decidedAt: number | null;
}

const SELECT_MERGES = `
  SELECT m.id, m.project_id AS projectId, m.name, t.id AS targetId, t.short_id AS targetShortId, t.title AS targetTitle,
    m.issue_id AS issueId, m.short_id AS shortId, m.snapshot -> 'issue' ->> 'title' AS title, m.hashes,
    m.merged_at AS mergedAt, u.name AS mergedBy, m.undone_at AS undoneAt, b.name AS undoneBy,
    m.is_once AS isOnce, coalesce(d.event_count, 0) AS decidedCount, d.last_at AS decidedAt
  FROM issue_merges AS m JOIN issues AS t ON t.id = m.target_issue_id
  LEFT JOIN rule_uses AS d ON d.project_id = m.project_id AND d.kind = 'merge' AND d.rule = CAST(m.id AS TEXT)
  LEFT JOIN users AS u ON u.id = m.user_id LEFT JOIN users AS b ON b.id = m.undone_user_id`;

export function listMerges(
  db: SqliteConnection,
  scope: Scope,
  { projectId, issueId }: { projectId: number; issueId?: number },
): IssueMerge[] {
  if (!includesProject(scope, projectId)) return [];
  return db
    .all<MergeRow>(
      `${SELECT_MERGES} WHERE m.project_id = :projectId AND (:issueId IS NULL OR m.target_issue_id = :issueId)
       ORDER BY m.id DESC LIMIT ${MAX_LISTED}`,
      { projectId, issueId: issueId ?? null },
    )
    .map(toMerge);
}

/** Within a write transaction. */
export function mergeIssues(
  db: SqliteConnection,
  scope: Scope,
  { targetId, issueIds, name, isOnce = false, userId, at }: Parameters<IssueMergeStore["mergeIssues"]>[1],
): Awaited<ReturnType<IssueMergeStore["mergeIssues"]>> {
  const [currentId = targetId] = toCurrentIssueIds(db, [targetId]);
  const target = loadIssue(db, currentId);
  const others = toCurrentIssueIds(db, issueIds)
    .filter((issueId) => issueId !== currentId)
    .map((issueId) => loadIssue(db, issueId));
  if (target === null || others.length === 0 || !includesProject(scope, target.projectId))
    return { ok: false, reason: "not-found" };
  for (const issue of others) {
    if (issue === null || !includesProject(scope, issue.projectId)) return { ok: false, reason: "not-found" };
    if (issue.projectId !== target.projectId) return { ok: false, reason: "other-project" };
  }
  const merges = others.flatMap((from) => {
    if (from === null) return [];
    const insertedId = noteMerge(db, { from, target, name, isOnce, userId, at });
    mergeIssue(db, { from, targetId: currentId, at, by: { userId, mergeId: insertedId } });
    const merge = getMerge(db, insertedId);
    if (merge === null) return [];
    const { projectId, hashes } = merge;
    const keys = { mergeId: insertedId, projectId, targetId: currentId, hashes };
    if (isOnce) setKeysAside(db, { ...keys, aliases: readAliases(db, insertedId) });
    return [merge];
  });
  return { ok: true, merges };
}

/** Within a write transaction. */
export function undoMerge(
  db: SqliteConnection,
  scope: Scope,
  { mergeId, userId, at }: Parameters<IssueMergeStore["undoMerge"]>[1],
): Awaited<ReturnType<IssueMergeStore["undoMerge"]>> {
  const merge = getMerge(db, mergeId);
  if (merge === null || !includesProject(scope, merge.projectId)) return { ok: false, reason: "not-found" };
  if (merge.undoneAt !== null) return { ok: false, reason: "undone-before" };
  const { issueId } = merge.merged;
  const settled = db.get<{ isSwept: number }>(
    "SELECT is_swept AS isSwept FROM merged_issues WHERE issue_id = :issueId",
    {
      issueId,
    },
  );
  if (settled?.isSwept !== 1) return { ok: false, reason: "not-settled" };
  restoreMerged(db, { mergeId, userId, at });
  const undone = getMerge(db, mergeId);
  return undone === null ? { ok: false, reason: "not-found" } : { ok: true, merge: undone };
}

/** Stores a snapshot of an issue that ends, so that the merge can be undone. Within a write transaction. Returns the id of the merge. */
export function noteMerge(
  db: SqliteConnection,
  {
    from,
    target,
    name,
    userId,
    at,
    ruleMoveId = null,
    isOnce = false,
  }: {
    from: KnownIssue;
    target: Pick<KnownIssue, "id" | "shortId">;
    name: string | null;
    userId: number | null;
    at: number;
    ruleMoveId?: number | null;
    isOnce?: boolean;
  },
): number {
  const { insertedId } = db.run(
    `INSERT INTO issue_merges
       (project_id, name, target_issue_id, issue_id, short_id, snapshot, hashes, merged_at, user_id, rule_move_id, is_once)
     VALUES (:projectId, :name, :targetId, :issueId, :shortId, :snapshot, :hashes, :at, :userId, :ruleMoveId, :isOnce)`,
    {
      projectId: from.projectId,
      name: name ?? `${from.shortId} is ${target.shortId}`,
      targetId: target.id,
      issueId: from.id,
      shortId: from.shortId,
      snapshot: JSON.stringify(readSnapshot(db, from.id)),
      hashes: JSON.stringify(listHashes(db, from.id)),
      at: Math.floor(at),
      userId,
      ruleMoveId,
      isOnce: isOnce ? 1 : 0,
    },
  );
  // Events of these keys count for the merge that first brought the keys.
  db.run("UPDATE issue_hashes SET merge_id = :insertedId WHERE issue_id = :issueId AND merge_id IS NULL", {
    insertedId,
    issueId: from.id,
  });
  return insertedId;
}

/** Within a write transaction. */
export function renameMerge(
  db: SqliteConnection,
  scope: Scope,
  { mergeId, name }: Parameters<IssueMergeStore["renameMerge"]>[1],
): boolean {
  const merge = getMerge(db, mergeId);
  if (merge === null || !includesProject(scope, merge.projectId)) return false;
  db.run("UPDATE issue_merges SET name = :name WHERE id = :mergeId", { mergeId, name });
  noteNames(db, { projectId: merge.projectId, before: merge.name, after: name });
  return true;
}

/** Notes in the audit log that a merge or split was renamed, within a write transaction. */
export function noteNames(
  db: SqliteConnection,
  { projectId, before, after }: { projectId: number; before: string; after: string },
): void {
  const project = db.get<{ slug: string }>("SELECT slug FROM projects WHERE id = :projectId", { projectId });
  db.note({
    action: "grouping.edit",
    target: { kind: "project", id: projectId, name: project?.slug ?? String(projectId) },
    before: { name: before },
    after: { name: after },
  });
}

function readAliases(db: SqliteConnection, mergeId: number): string[] {
  const row = db.get<{ aliases: string }>(
    "SELECT snapshot ->> 'aliases' AS aliases FROM issue_merges WHERE id = :mergeId",
    {
      mergeId,
    },
  );
  return JSON.parse(row?.aliases ?? "[]");
}

/** Restores a merged issue within a write transaction, and asks for its events. Call it once the event store knows the merge. */
export function restoreMerged(
  db: SqliteConnection,
  { mergeId, userId, at }: { mergeId: number; userId: number | null; at: number },
): void {
  const merge = getMerge(db, mergeId);
  const row = db.get<{ snapshot: string }>("SELECT snapshot FROM issue_merges WHERE id = :mergeId", { mergeId });
  if (merge === null || row === undefined) return;
  const { target } = merge;
  const { issueId, shortId } = merge.merged;
  const targetId = target.issueId;
  restoreSnapshot(db, JSON.parse(row.snapshot), { issueId, targetId });
  db.run("DELETE FROM merged_issues WHERE issue_id = :issueId", { issueId });
  db.run(
    `UPDATE issue_hashes SET issue_id = :issueId
     WHERE issue_id = :targetId AND project_id = :projectId AND hash IN (SELECT value FROM json_each(:hashes))`,
    { issueId, targetId, projectId: merge.projectId, hashes: JSON.stringify(merge.hashes) },
  );
  const { projectId } = merge;
  if (merge.isOnce) takeKeysBack(db, { mergeId, projectId, issueId, aliases: readAliases(db, mergeId), at });
  db.run("UPDATE issue_hashes SET merge_id = NULL WHERE issue_id = :issueId AND merge_id = :mergeId", {
    issueId,
    mergeId,
  });
  db.run("UPDATE issue_merges SET undone_at = :at, undone_user_id = :userId WHERE id = :mergeId", {
    mergeId,
    userId,
    at: Math.floor(at),
  });
  const data = { events: 0, mergeId };
  addActivity(db, {
    issueId,
    at: Math.floor(at),
    kind: "split_off",
    userId,
    data: { ...data, issueId: targetId, shortId: target.shortId },
  });
  addActivity(db, {
    issueId: targetId,
    at: Math.floor(at),
    kind: "moved_away",
    userId,
    data: { ...data, issueId, shortId },
  });
  requestRegrouping(db, { issueId: targetId, projectId, at, flows: [{ fromIssueId: targetId, toIssueId: issueId }] });
}

function getMerge(db: SqliteConnection, mergeId: number): IssueMerge | null {
  const row = db.get<MergeRow>(`${SELECT_MERGES} WHERE m.id = :mergeId`, { mergeId });
  return row === undefined ? null : toMerge(row);
}

function toMerge(row: MergeRow): IssueMerge {
  const { targetId, targetShortId, targetTitle, issueId, shortId, title, hashes, isOnce, ...merge } = row;
  return {
    ...merge,
    isOnce: isOnce === 1,
    target: { issueId: targetId, shortId: targetShortId, title: targetTitle },
    merged: { issueId, shortId, title },
    hashes: JSON.parse(hashes),
  };
}

function listHashes(db: SqliteConnection, issueId: number): string[] {
  return db
    .all<{ hash: string }>("SELECT hash FROM issue_hashes WHERE issue_id = :issueId ORDER BY id", { issueId })
    .map(({ hash }) => hash);
}

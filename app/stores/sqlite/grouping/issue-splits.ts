import type { AuditFields } from "../../../domain/audit/audit-entry.ts";
import { type IssueSplit, MAX_SPLITS } from "../../../domain/grouping-rules/issue-split.ts";
import type { SplitRule } from "../../../domain/grouping-rules/project-rules.ts";
import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import type { IssueSplitStore } from "../../state/issue-split-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { loadIssue } from "../issues/load-issues.ts";
import { toCurrentIssueIds } from "../reprocessing/merged-issues.ts";
import { noteNames } from "./issue-merges.ts";
import { requestRegrouping } from "./regrouping-requests.ts";
import { noteRuleChange } from "./rule-version.ts";

const MAX_LISTED = 200;

interface SplitRow extends Omit<IssueSplit, "issue"> {
  issueId: number;
  shortId: string;
  title: string;
}

const SELECT_SPLITS = `
  SELECT s.id, s.project_id AS projectId, s.name, s.variable, i.id AS issueId, i.short_id AS shortId, i.title,
    (SELECT count(DISTINCT h.issue_id) FROM issue_hashes AS h WHERE h.split_id = s.id AND h.issue_id <> s.issue_id) AS issueCount,
    (SELECT coalesce(sum(event_count), 0) FROM issues WHERE id IN
      (SELECT h.issue_id FROM issue_hashes AS h WHERE h.split_id = s.id AND h.issue_id <> s.issue_id)) AS eventCount,
    coalesce(d.event_count, 0) AS decidedCount, d.last_at AS decidedAt,
    s.split_at AS splitAt, u.name AS splitBy, s.undone_at AS undoneAt, b.name AS undoneBy
  FROM issue_splits AS s JOIN issues AS i ON i.id = s.issue_id
  LEFT JOIN rule_uses AS d ON d.project_id = s.project_id AND d.kind = 'split' AND d.rule = CAST(s.id AS TEXT)
  LEFT JOIN users AS u ON u.id = s.user_id LEFT JOIN users AS b ON b.id = s.undone_user_id`;

export function listSplits(
  db: SqliteConnection,
  scope: Scope,
  { projectId, issueId }: { projectId: number; issueId?: number },
): IssueSplit[] {
  if (!includesProject(scope, projectId)) return [];
  return db
    .all<SplitRow>(
      `${SELECT_SPLITS} WHERE s.project_id = :projectId AND (:issueId IS NULL OR s.issue_id = :issueId OR s.id IN
         (SELECT split_id FROM issue_hashes WHERE issue_id = :issueId AND split_id IS NOT NULL))
       ORDER BY s.id DESC LIMIT ${MAX_LISTED}`,
      { projectId, issueId: issueId ?? null },
    )
    .map(toSplit);
}

/** Within a write transaction. */
export function splitIssue(
  db: SqliteConnection,
  scope: Scope,
  { issueId, variable, name, userId, at }: Parameters<IssueSplitStore["splitIssue"]>[1],
): Awaited<ReturnType<IssueSplitStore["splitIssue"]>> {
  const [currentId = issueId] = toCurrentIssueIds(db, [issueId]);
  const issue = loadIssue(db, currentId);
  if (issue === null || !includesProject(scope, issue.projectId)) return { ok: false, reason: "not-found" };
  const { projectId } = issue;
  const same = db.get(
    "SELECT 1 FROM issue_splits WHERE issue_id = :currentId AND variable = :variable AND undone_at IS NULL",
    { currentId, variable },
  );
  if (same !== undefined) return { ok: false, reason: "same-before" };
  const held = db.get<{ count: number }>(
    "SELECT count(*) AS count FROM issue_splits WHERE project_id = :projectId AND undone_at IS NULL",
    { projectId },
  );
  if ((held?.count ?? 0) >= MAX_SPLITS) return { ok: false, reason: "too-many" };
  const hashes = db
    .all<{ hash: string }>("SELECT hash FROM issue_hashes WHERE issue_id = :currentId ORDER BY id", { currentId })
    .map(({ hash }) => hash);
  const { insertedId: id } = db.run(
    `INSERT INTO issue_splits (project_id, name, variable, issue_id, hashes, split_at, user_id)
     VALUES (:projectId, :name, :variable, :currentId, :hashes, :at, :userId)`,
    { projectId, name, variable, currentId, hashes: JSON.stringify(hashes), at: Math.floor(at), userId },
  );
  noteRuleChange(db);
  requestRegrouping(db, { issueId: currentId, projectId, at, byRules: true });
  const split = getSplit(db, id);
  if (split === null) return { ok: false, reason: "not-found" };
  noteSplit(db, { before: {}, after: toFields(split), projectId });
  return { ok: true, split };
}

/** Within a write transaction. */
export function undoSplit(
  db: SqliteConnection,
  scope: Scope,
  { splitId, userId, at }: Parameters<IssueSplitStore["undoSplit"]>[1],
): Awaited<ReturnType<IssueSplitStore["undoSplit"]>> {
  const split = getSplit(db, splitId);
  if (split === null || !includesProject(scope, split.projectId)) return { ok: false, reason: "not-found" };
  if (split.undoneAt !== null) return { ok: false, reason: "undone-before" };
  const { projectId, issue } = split;
  db.run("UPDATE issue_splits SET undone_at = :at, undone_user_id = :userId WHERE id = :splitId", {
    splitId,
    userId,
    at: Math.floor(at),
  });
  noteRuleChange(db);
  const { issueId } = issue;
  const flows = listUndoneSplitIssues(db, issueId).map((fromIssueId) => ({ fromIssueId, toIssueId: issueId }));
  requestRegrouping(db, { issueId, projectId, at, byRules: true, flows });
  noteSplit(db, { before: toFields(split), after: {}, projectId });
  const undone = getSplit(db, splitId);
  return undone === null ? { ok: false, reason: "not-found" } : { ok: true, split: undone };
}

/** Within a write transaction. Explanations of later events use the new name. */
export function renameSplit(
  db: SqliteConnection,
  scope: Scope,
  { splitId, name }: Parameters<IssueSplitStore["renameSplit"]>[1],
): boolean {
  const split = getSplit(db, splitId);
  if (split === null || !includesProject(scope, split.projectId)) return false;
  db.run("UPDATE issue_splits SET name = :name WHERE id = :splitId", { splitId, name });
  noteRuleChange(db);
  noteNames(db, { projectId: split.projectId, before: split.name, after: name });
  return true;
}

export function listMovingIssues(
  db: SqliteConnection,
  scope: Scope,
  projectId: number,
): Awaited<ReturnType<IssueSplitStore["listMovingIssues"]>> {
  if (!includesProject(scope, projectId)) return [];
  return db.all(
    `SELECT issue_id AS issueId, done_count AS doneCount FROM regrouping_requests
     WHERE project_id = :projectId ORDER BY asked_at, issue_id LIMIT ${MAX_LISTED}`,
    { projectId },
  );
}

/** The splits that are not undone, by project, oldest first. */
export function listSplitRules(db: SqliteConnection): Map<number, SplitRule[]> {
  const rows = db.all<Omit<SplitRule, "hashes"> & { projectId: number; hashes: string }>(
    "SELECT id, project_id AS projectId, name, variable, hashes FROM issue_splits WHERE undone_at IS NULL ORDER BY id",
  );
  const rules = new Map<number, SplitRule[]>();
  for (const { projectId, hashes, ...split } of rows)
    rules.set(projectId, [...(rules.get(projectId) ?? []), { ...split, hashes: JSON.parse(hashes) }]);
  return rules;
}

/** How many issues came from the splits that the occurrences name, by the id of the split. */
export function countSplitIssues(
  db: SqliteConnection,
  occurrences: ReadonlyArray<Pick<IssueOccurrence, "grouping">>,
): Map<number, number> {
  const splitIds = new Set(occurrences.flatMap(({ grouping }) => grouping.ruling?.split?.id ?? []));
  if (splitIds.size === 0) return new Map();
  const rows = db.all<{ id: number; count: number }>(
    `SELECT split_id AS id, count(*) AS count FROM issue_hashes
     WHERE split_id IN (SELECT value FROM json_each(:splitIds)) GROUP BY split_id`,
    { splitIds: JSON.stringify([...splitIds]) },
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Issues with events of undone splits of this issue. */
export function listUndoneSplitIssues(db: SqliteConnection, issueId: number): number[] {
  return db
    .all<{ id: number }>(
      `SELECT DISTINCT h.issue_id AS id FROM issue_splits AS s JOIN issue_hashes AS h ON h.split_id = s.id
       WHERE s.issue_id = :issueId AND s.undone_at IS NOT NULL AND h.issue_id <> :issueId ORDER BY h.issue_id`,
      { issueId },
    )
    .map(({ id }) => id);
}

function getSplit(db: SqliteConnection, splitId: number): IssueSplit | null {
  const row = db.get<SplitRow>(`${SELECT_SPLITS} WHERE s.id = :splitId`, { splitId });
  return row === undefined ? null : toSplit(row);
}

function toSplit({ issueId, shortId, title, ...split }: SplitRow): IssueSplit {
  return { ...split, issue: { issueId, shortId, title } };
}

function toFields({ name, variable, issue }: IssueSplit): AuditFields {
  return { split: name, "split by": variable, "split issue": issue.shortId };
}

function noteSplit(
  db: SqliteConnection,
  { projectId, ...change }: { before: AuditFields; after: AuditFields; projectId: number },
): void {
  const project = db.get<{ slug: string }>("SELECT slug FROM projects WHERE id = :projectId", { projectId });
  db.note({
    action: "grouping.edit",
    target: { kind: "project", id: projectId, name: project?.slug ?? String(projectId) },
    ...change,
  });
}

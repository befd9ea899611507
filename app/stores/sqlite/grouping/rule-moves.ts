import type { RuleMove } from "../../../domain/grouping-rules/rule-move.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import type { OpenMove, RuleMoveStore, RuleMoveWork } from "../../state/rule-move-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { restoreMerged } from "./issue-merges.ts";
import { requestRegrouping } from "./regrouping-requests.ts";

const MAX_LISTED = 20;

const SELECT_MOVES = `
  SELECT m.id, m.project_id AS projectId, m.since, m.asked_at AS askedAt, u.name AS askedBy, m.issue_count AS issueCount,
    m.done_issue_count AS doneIssueCount, m.moved_count AS movedCount, m.ended_at AS endedAt,
    m.undo_asked_at AS undoAskedAt, b.name AS undoBy, m.undone_at AS undoneAt
  FROM rule_moves AS m LEFT JOIN users AS u ON u.id = m.user_id LEFT JOIN users AS b ON b.id = m.undo_user_id`;

export function listMoves(db: SqliteConnection, scope: Scope, projectId: number): RuleMove[] {
  if (!includesProject(scope, projectId)) return [];
  return db.all<RuleMove>(`${SELECT_MOVES} WHERE m.project_id = :projectId ORDER BY m.id DESC LIMIT ${MAX_LISTED}`, {
    projectId,
  });
}

/** Within a write transaction. */
export function requestMove(
  db: SqliteConnection,
  scope: Scope,
  { projectId, since, userId, at }: Parameters<RuleMoveStore["requestMove"]>[1],
): Awaited<ReturnType<RuleMoveStore["requestMove"]>> {
  const project = db.get<{ slug: string }>("SELECT slug FROM projects WHERE id = :projectId", { projectId });
  if (project === undefined || !includesProject(scope, projectId)) return { ok: false, reason: "not-found" };
  const open = db.get(
    `SELECT 1 FROM rule_moves WHERE project_id = :projectId
       AND (ended_at IS NULL OR (undo_asked_at IS NOT NULL AND undone_at IS NULL))`,
    { projectId },
  );
  if (open !== undefined) return { ok: false, reason: "running" };
  const { insertedId: moveId } = db.run(
    `INSERT INTO rule_moves (project_id, since, user_id, asked_at, last_issue_id, issue_count)
     SELECT :projectId, :since, :userId, :at, coalesce(max(id), 0), count(*) FROM issues
     WHERE project_id = :projectId AND last_seen_at >= :since`,
    { projectId, since: Math.floor(since), userId, at: Math.floor(at) },
  );
  noteMove(db, { projectId, slug: project.slug, after: { "stored events moved": true } });
  return toAnswer(db, moveId);
}

/** Within a write transaction. */
export function undoMove(
  db: SqliteConnection,
  scope: Scope,
  { moveId, userId, at }: Parameters<RuleMoveStore["undoMove"]>[1],
): Awaited<ReturnType<RuleMoveStore["undoMove"]>> {
  const move = getMove(db, moveId);
  if (move === null || !includesProject(scope, move.projectId)) return { ok: false, reason: "not-found" };
  if (move.undoAskedAt !== null) return { ok: false, reason: "undone-before" };
  db.run("UPDATE rule_moves SET undo_asked_at = :at, undo_user_id = :userId WHERE id = :moveId", {
    moveId,
    userId,
    at: Math.floor(at),
  });
  const project = db.get<{ slug: string }>("SELECT slug FROM projects WHERE id = :id", { id: move.projectId });
  noteMove(db, {
    projectId: move.projectId,
    slug: project?.slug ?? String(move.projectId),
    after: { "stored events moved": false },
  });
  return toAnswer(db, moveId);
}

export function findOpenMove(db: SqliteConnection): OpenMove | null {
  const row = db.get<Omit<OpenMove, "isToBeUndone"> & { isToBeUndone: number }>(
    `SELECT id, project_id AS projectId, since, user_id AS userId, undo_asked_at IS NOT NULL AS isToBeUndone FROM rule_moves
     WHERE ended_at IS NULL OR (undo_asked_at IS NOT NULL AND undone_at IS NULL) ORDER BY id LIMIT 1`,
    {},
  );
  return row === undefined ? null : { ...row, isToBeUndone: row.isToBeUndone === 1 };
}

export function nextIssue(db: SqliteConnection, moveId: number): number | null {
  const row = db.get<{ id: number }>(
    `SELECT i.id FROM rule_moves AS m JOIN issues AS i ON i.project_id = m.project_id
     WHERE m.id = :moveId AND i.id > m.done_issue_id AND i.id <= m.last_issue_id AND i.last_seen_at >= m.since
     ORDER BY i.id LIMIT 1`,
    { moveId },
  );
  return row?.id ?? null;
}

/** Within a write transaction. */
export function noteIssue(db: SqliteConnection, { moveId, issueId }: Parameters<RuleMoveWork["noteIssue"]>[0]): void {
  db.run("UPDATE rule_moves SET done_issue_id = :issueId, done_issue_count = done_issue_count + 1 WHERE id = :moveId", {
    moveId,
    issueId,
  });
}

/** Within a write transaction. */
export function endMove(db: SqliteConnection, { moveId, at }: Parameters<RuleMoveWork["endMove"]>[0]): void {
  db.run("UPDATE rule_moves SET ended_at = :at WHERE id = :moveId AND ended_at IS NULL", {
    moveId,
    at: Math.floor(at),
  });
}

/** Within a write transaction. */
export function revertMove(db: SqliteConnection, { moveId, at }: Parameters<RuleMoveWork["revertMove"]>[0]): void {
  const move = db.get<{ projectId: number; userId: number | null }>(
    "SELECT project_id AS projectId, undo_user_id AS userId FROM rule_moves WHERE id = :moveId",
    { moveId },
  );
  if (move === undefined) return;
  const { projectId, userId } = move;
  // The last merge comes first: an issue may have been merged into one that was merged later.
  const merges = db.all<{ id: number }>(
    "SELECT id FROM issue_merges WHERE rule_move_id = :moveId AND undone_at IS NULL ORDER BY id DESC",
    { moveId },
  );
  for (const { id } of merges) restoreMerged(db, { mergeId: id, userId, at });
  const gained = db.all<{ id: number }>(
    `SELECT i.id FROM rule_move_issues AS g JOIN issues AS i ON i.id = g.issue_id WHERE g.move_id = :moveId ORDER BY i.id`,
    { moveId },
  );
  for (const { id } of gained) requestRegrouping(db, { issueId: id, projectId, at });
  db.run("UPDATE rule_moves SET undone_at = :at, ended_at = coalesce(ended_at, :at) WHERE id = :moveId", {
    moveId,
    at: Math.floor(at),
  });
}

/** Notes that an issue got events by the move, within a write transaction. */
export function noteGain(
  db: SqliteConnection,
  { moveId, issueId, eventCount }: { moveId: number; issueId: number; eventCount: number },
): void {
  db.run("INSERT OR IGNORE INTO rule_move_issues (move_id, issue_id) VALUES (:moveId, :issueId)", { moveId, issueId });
  db.run("UPDATE rule_moves SET moved_count = moved_count + :eventCount WHERE id = :moveId", { moveId, eventCount });
}

function getMove(db: SqliteConnection, moveId: number): RuleMove | null {
  return db.get<RuleMove>(`${SELECT_MOVES} WHERE m.id = :moveId`, { moveId }) ?? null;
}

function toAnswer(db: SqliteConnection, moveId: number): Awaited<ReturnType<RuleMoveStore["undoMove"]>> {
  const move = getMove(db, moveId);
  return move === null ? { ok: false, reason: "not-found" } : { ok: true, move };
}

function noteMove(
  db: SqliteConnection,
  { projectId, slug, after }: { projectId: number; slug: string; after: Record<string, boolean> },
): void {
  db.note({ action: "grouping.edit", target: { kind: "project", id: projectId, name: slug }, before: {}, after });
}

import { MAX_COMMENTS } from "../../../domain/issues/comment.ts";
import { type AssigneeRef, listTold } from "../../../domain/issues/triage.ts";
import type { Act } from "../../../domain/notification.ts";
import type { Scope } from "../../../domain/scope.ts";
import type { Comment, CommentResult, CommentStore } from "../../state/comment-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { addToOutbox } from "../notifications/outbox.ts";
import { findMergeTarget } from "../reprocessing/merged-issues.ts";
import { listAssigned, seesProject } from "./assignees.ts";
import {
  changeReader,
  findProject,
  hasSnoozes,
  listReaders,
  listSeenBy,
  listSnoozers,
  listSubscribers,
  subscribe,
} from "./issue-people.ts";
import { addActivity } from "./issue-status.ts";
import { noteSuggestionsChange } from "./suggestions.ts";

interface CommentRow {
  id: number;
  issueId: number;
  at: number;
  data: string;
  userId: number | null;
  userName: string | null;
}

const COMMENTS = `SELECT a.id, a.issue_id AS issueId, a.at, a.data, a.user_id AS userId, u.name AS userName
  FROM issue_activity AS a LEFT JOIN users AS u ON u.id = a.user_id`;

export function createCommentStore(db: SqliteConnection): CommentStore {
  return {
    addComment: (scope, comment) => db.write(() => add(db, scope, comment)),
    changeComment: (scope, change) => db.write(() => edit(db, scope, change)),
    deleteComment: (scope, of) => db.write(() => remove(db, scope, of)),
    getComment: async (scope, of) => findComment(db, scope, of),
    listComments: async (scope, issueId, limit) => listComments(db, scope, issueId, limit),
    countComments: async (scope, issueIds) => countComments(db, scope, issueIds),
    listReaders: async (scope, userId, issueIds) => listReaders(db, scope, userId, issueIds),
    listSeenBy: async (scope, issueId, limit) => listSeenBy(db, scope, issueId, limit),
    changeReader: (scope, change) => db.write(() => changeReader(db, scope, change)),
    hasSnoozes: async (userId, now) => hasSnoozes(db, userId, now),
    listSnoozers: async (scope, issueIds, now) => listSnoozers(db, scope, issueIds, now),
  };
}

type Writing = Parameters<CommentStore["addComment"]>[1];

function add(db: SqliteConnection, scope: Scope, writing: Writing): CommentResult {
  const issueId = findMergeTarget(db, writing.issueId) ?? writing.issueId;
  const projectId = findProject(db, scope, issueId);
  if (projectId === null) return { ok: false, reason: "not-found" };
  if ((countComments(db, scope, [issueId]).get(issueId) ?? 0) >= MAX_COMMENTS) return { ok: false, reason: "too-many" };
  const { text, userId, at, isQuiet = false } = writing;
  const id = addActivity(db, { issueId, at, kind: "commented", userId, data: { text } });
  subscribe(db, { issueId, userIds: [userId], reason: "commented" });
  const mentioned = listMentioned(db, writing.mentions, projectId);
  subscribe(db, { issueId, userIds: mentioned, reason: "mentioned" });
  noteSuggestionsChange(db, issueId);
  if (!isQuiet) {
    tell(db, { issueId, projectId, act: "mentioned", userIds: mentioned, userId, at, commentId: id });
    const others = listSubscribers(db, issueId, projectId).filter((each) => !mentioned.includes(each));
    tell(db, { issueId, projectId, act: "commented", userIds: others, userId, at, commentId: id });
  }
  return toResult(getComment(db, issueId, id));
}

function edit(db: SqliteConnection, scope: Scope, change: Writing & { commentId: number }): CommentResult {
  const found = findOwn(db, scope, change);
  if (!found.ok) return found;
  const { comment, projectId } = found;
  const { text, userId, at } = change;
  if (text === comment.text) return { ok: true, comment };
  db.run("UPDATE issue_activity SET data = json_set(data, '$.text', :text, '$.editedAt', :at) WHERE id = :id", {
    text,
    at: Math.floor(at),
    id: comment.id,
  });
  const { issueId } = comment;
  const before = db
    .all<{ id: number }>(
      "SELECT user_id AS id FROM issue_people WHERE issue_id = :issueId AND subscription IS NOT NULL",
      {
        issueId,
      },
    )
    .map(({ id }) => id);
  const mentioned = listMentioned(db, change.mentions, projectId).filter((each) => !before.includes(each));
  subscribe(db, { issueId, userIds: mentioned, reason: "mentioned" });
  tell(db, { issueId, projectId, act: "mentioned", userIds: mentioned, userId, at, commentId: comment.id });
  return toResult(getComment(db, issueId, comment.id));
}

function remove(
  db: SqliteConnection,
  scope: Scope,
  of: { issueId: number; commentId: number; userId: number },
): CommentResult {
  const found = findOwn(db, scope, of);
  if (!found.ok) return found;
  db.run("DELETE FROM issue_activity WHERE id = :id", { id: found.comment.id });
  noteSuggestionsChange(db, found.comment.issueId);
  return { ok: true, comment: found.comment };
}

function findOwn(
  db: SqliteConnection,
  scope: Scope,
  of: { issueId: number; commentId: number; userId: number },
): { ok: true; comment: Comment; projectId: number } | { ok: false; reason: "not-found" | "not-own" } {
  const issueId = findMergeTarget(db, of.issueId) ?? of.issueId;
  const projectId = findProject(db, scope, issueId);
  const comment = getComment(db, issueId, of.commentId);
  if (projectId === null || comment === null) return { ok: false, reason: "not-found" };
  return comment.user?.id === of.userId ? { ok: true, comment, projectId } : { ok: false, reason: "not-own" };
}

/** The mentioned members, and members of mentioned teams, who see the project. */
function listMentioned(db: SqliteConnection, mentions: readonly AssigneeRef[], projectId: number): number[] {
  const ids = mentions
    .filter((mention) => seesProject(db, mention, projectId))
    .flatMap((mention) => listAssigned(db, mention, projectId));
  return [...new Set(ids)];
}

/** Tells people of an act, within a write transaction. The person who did it is not told. */
export function tell(
  db: SqliteConnection,
  of: {
    issueId: number;
    projectId: number;
    act: Act;
    userIds: readonly number[];
    userId: number | null;
    at: number;
    ownershipRule?: string;
    commentId?: number;
  },
): void {
  const userIds = listTold(of.userIds, of.userId);
  if (userIds.length === 0) return;
  const by = db.get<{ name: string }>("SELECT name FROM users WHERE id = :userId", { userId: of.userId })?.name ?? null;
  const { issueId, projectId, act, at, ownershipRule, commentId } = of;
  const told = {
    ...{ userIds, by },
    ...(ownershipRule !== undefined && { ownershipRule }),
    ...(commentId !== undefined && { commentId }),
  };
  addToOutbox(db, [{ transition: act, projectId, issueId, eventId: "", at: Math.floor(at), release: null, told }]);
}

function getComment(db: SqliteConnection, issueId: number, id: number): Comment | null {
  const row = db.get<CommentRow>(`${COMMENTS} WHERE a.id = :id AND a.issue_id = :issueId AND a.kind = 'commented'`, {
    id,
    issueId,
  });
  return row ? toComment(row) : null;
}

function findComment(db: SqliteConnection, scope: Scope, of: { issueId: number; commentId: number }): Comment | null {
  const issueId = findMergeTarget(db, of.issueId) ?? of.issueId;
  return findProject(db, scope, issueId) === null ? null : getComment(db, issueId, of.commentId);
}

function listComments(db: SqliteConnection, scope: Scope, askedId: number, limit: number): Comment[] {
  const issueId = findMergeTarget(db, askedId) ?? askedId;
  if (findProject(db, scope, issueId) === null) return [];
  return db
    .all<CommentRow>(
      `${COMMENTS} WHERE a.issue_id = :issueId AND a.kind = 'commented' ORDER BY a.id DESC LIMIT :limit`,
      { issueId, limit },
    )
    .map(toComment);
}

function countComments(db: SqliteConnection, scope: Scope, issueIds: readonly number[]): Map<number, number> {
  const rows = db.all<{ issueId: number; count: number }>(
    `SELECT a.issue_id AS issueId, count(*) AS count
     FROM json_each(:issueIds) AS asked CROSS JOIN issue_activity AS a ON a.issue_id = asked.value
     CROSS JOIN issues AS i ON i.id = a.issue_id
     WHERE a.kind = 'commented' AND i.project_id IN (SELECT value FROM json_each(:projectIds)) GROUP BY 1`,
    { issueIds: JSON.stringify(issueIds), projectIds: JSON.stringify(scope.projectIds) },
  );
  return new Map(rows.map(({ issueId, count }) => [issueId, count]));
}

function toComment({ userId, userName, data, ...row }: CommentRow): Comment {
  const { text, editedAt = null }: { text: string; editedAt?: number | null } = JSON.parse(data);
  return { ...row, text, editedAt, user: userId === null || userName === null ? null : { id: userId, name: userName } };
}

function toResult(comment: Comment | null): CommentResult {
  return comment === null ? { ok: false, reason: "not-found" } : { ok: true, comment };
}

import { type IssueShare, MAX_SHARES } from "../../../domain/issues/shared-issue.ts";
import type { Scope } from "../../../domain/scope.ts";
import type { CreateShareResult, RestoreShareResult, ShareLinks, ShareStore } from "../../state/share-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { memberSees } from "../people/sees-project.ts";
import { findMergeTarget } from "../reprocessing/merged-issues.ts";
import { findProject } from "./issue-people.ts";

export function createShareStores(db: SqliteConnection): { shares: ShareStore; shareLinks: ShareLinks } {
  return {
    shares: {
      createShare: (scope, share) => db.write(() => create(db, scope, share)),
      listShares: async (scope, issueId, now) => list(db, scope, issueId, now),
      listSharedIssues: async (scope, issueIds, now) => listShared(db, scope, issueIds, now),
      endShare: (scope, of) => db.write(() => end(db, scope, of)),
      endShares: (scope, of) => db.write(() => endAll(db, scope, of)),
      restoreShare: (scope, of) => db.write(() => restore(db, scope, of)),
      areSharesAllowed: async () => areAllowed(db),
      allowShares: (_scope, isAllowed) => db.write(() => allow(db, isAllowed)),
    },
    shareLinks: {
      findShare: async (tokenHash, now) =>
        areAllowed(db)
          ? (db.get<{ issueId: number; expiresAt: number }>(
              `SELECT s.issue_id AS issueId, s.expires_at AS expiresAt ${OPEN} AND s.token_hash = :tokenHash`,
              { tokenHash, now },
            ) ?? null)
          : null,
    },
  };
}

/** Takes `:now`. */
const OPEN = `FROM issue_shares AS s CROSS JOIN issues AS i ON i.id = s.issue_id
  WHERE s.expires_at > :now AND s.ended_at IS NULL AND (s.user_id IS NULL OR ${memberSees("s.user_id", "i.project_id")})`;

function create(
  db: SqliteConnection,
  scope: Scope,
  share: Parameters<ShareStore["createShare"]>[1],
): CreateShareResult {
  if (!areAllowed(db)) return { ok: false, reason: "off" };
  const issueId = findMergeTarget(db, share.issueId) ?? share.issueId;
  if (findProject(db, scope, issueId) === null) return { ok: false, reason: "not-found" };
  db.run("DELETE FROM issue_shares WHERE expires_at <= :now", { now: share.at });
  if (isFull(db, issueId)) return { ok: false, reason: "too-many" };
  const { insertedId } = db.run(
    `INSERT INTO issue_shares (issue_id, token_hash, user_id, created_at, expires_at)
     VALUES (:issueId, :tokenHash, :userId, :at, :expiresAt)`,
    { ...share, issueId, at: Math.floor(share.at), expiresAt: Math.floor(share.expiresAt) },
  );
  const made = list(db, scope, issueId, share.at).find(({ id }) => id === insertedId);
  if (made === undefined) return { ok: false, reason: "not-found" };
  db.note({ action: "share.create", target: toTarget(db, issueId), after: toFields(made) });
  return { ok: true, share: made };
}

function list(db: SqliteConnection, scope: Scope, askedId: number, now: number): IssueShare[] {
  const issueId = findMergeTarget(db, askedId) ?? askedId;
  if (findProject(db, scope, issueId) === null) return [];
  return db.all<IssueShare>(
    `SELECT s.id, (SELECT name FROM users WHERE id = s.user_id) AS "by", s.created_at AS createdAt, s.expires_at AS expiresAt
     ${OPEN} AND s.issue_id = :issueId ORDER BY s.id DESC`,
    { issueId, now },
  );
}

function listShared(db: SqliteConnection, scope: Scope, issueIds: readonly number[], now: number): Set<number> {
  const rows = db.all<{ issueId: number }>(
    `SELECT DISTINCT s.issue_id AS issueId ${OPEN} AND s.issue_id IN (SELECT value FROM json_each(:issueIds))
     AND i.project_id IN (SELECT value FROM json_each(:projectIds))`,
    { issueIds: JSON.stringify(issueIds), projectIds: JSON.stringify(scope.projectIds), now },
  );
  return new Set(rows.map(({ issueId }) => issueId));
}

function end(
  db: SqliteConnection,
  scope: Scope,
  { issueId: askedId, shareId, undoableBy, now }: Parameters<ShareStore["endShare"]>[1],
): boolean {
  const issueId = findMergeTarget(db, askedId) ?? askedId;
  const share = list(db, scope, issueId, now).find(({ id }) => id === shareId);
  if (share === undefined) return false;
  if (undoableBy === null) db.run("DELETE FROM issue_shares WHERE id = :shareId", { shareId });
  else
    db.run("UPDATE issue_shares SET ended_at = :at, ended_by = :undoableBy WHERE id = :shareId", {
      ...{ shareId, undoableBy },
      at: Math.floor(now),
    });
  db.note({ action: "share.end", target: toTarget(db, issueId), before: toFields(share) });
  return true;
}

function endAll(
  db: SqliteConnection,
  scope: Scope,
  { issueId: askedId, now }: Parameters<ShareStore["endShares"]>[1],
): void {
  const issueId = findMergeTarget(db, askedId) ?? askedId;
  if (findProject(db, scope, issueId) === null) return;
  for (const share of list(db, scope, issueId, now))
    db.note({ action: "share.end", target: toTarget(db, issueId), before: toFields(share) });
  db.run("DELETE FROM issue_shares WHERE issue_id = :issueId", { issueId });
}

function restore(
  db: SqliteConnection,
  scope: Scope,
  { issueId: askedId, shareId, userId, now }: Parameters<ShareStore["restoreShare"]>[1],
): RestoreShareResult {
  const issueId = findMergeTarget(db, askedId) ?? askedId;
  const ended = db.get<{ expiresAt: number; isSeen: number }>(
    `SELECT s.expires_at AS expiresAt, s.user_id IS NULL OR ${memberSees("s.user_id", "i.project_id")} AS isSeen
     FROM issue_shares AS s CROSS JOIN issues AS i ON i.id = s.issue_id
     WHERE s.id = :shareId AND s.issue_id = :issueId AND s.ended_at IS NOT NULL AND s.ended_by = :userId`,
    { shareId, issueId, userId },
  );
  if (ended === undefined || findProject(db, scope, issueId) === null) return { ok: false, reason: "gone" };
  if (ended.expiresAt <= now) return { ok: false, reason: "over" };
  if (ended.isSeen !== 1) return { ok: false, reason: "unseen" };
  if (!areAllowed(db)) return { ok: false, reason: "off" };
  if (isFull(db, issueId)) return { ok: false, reason: "too-many" };
  db.run("UPDATE issue_shares SET ended_at = NULL, ended_by = NULL WHERE id = :shareId", { shareId });
  const share = list(db, scope, issueId, now).find(({ id }) => id === shareId);
  if (share === undefined) return { ok: false, reason: "gone" };
  db.note({ action: "share.restore", target: toTarget(db, issueId), after: toFields(share) });
  return { ok: true, share };
}

function isFull(db: SqliteConnection, issueId: number): boolean {
  const sql = "SELECT count(*) AS count FROM issue_shares WHERE issue_id = :issueId AND ended_at IS NULL";
  return (db.get<{ count: number }>(sql, { issueId })?.count ?? 0) >= MAX_SHARES;
}

function toFields({ expiresAt }: IssueShare) {
  return { expiresAt: new Date(expiresAt).toISOString() };
}

function toTarget(db: SqliteConnection, issueId: number) {
  const row = db.get<{ shortId: string }>("SELECT short_id AS shortId FROM issues WHERE id = :issueId", { issueId });
  return { kind: "issue", id: issueId, name: row?.shortId ?? `issue ${issueId}` };
}

function areAllowed(db: SqliteConnection): boolean {
  return db.get<{ isAllowed: number }>("SELECT allows_shares AS isAllowed FROM organization")?.isAllowed !== 0;
}

function allow(db: SqliteConnection, isAllowed: boolean): void {
  const before = areAllowed(db);
  if (before === isAllowed) return;
  db.run("UPDATE organization SET allows_shares = :isAllowed", { isAllowed: isAllowed ? 1 : 0 });
  const { slug } = db.get<{ slug: string }>("SELECT slug FROM organization") ?? { slug: "" };
  db.note({
    action: "share.switch",
    target: { kind: "organization", id: 1, name: slug },
    before: { allowsShares: before },
    after: { allowsShares: isAllowed },
  });
}

import type { SubscriptionReason } from "../../../domain/issues/comment.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import { type CommentStore, type IssueReader, NO_READER } from "../../state/comment-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { memberSees } from "../people/sees-project.ts";
import { toCurrentIssueIds } from "../reprocessing/merged-issues.ts";

/** Null: there is no such issue in the scope. */
export function findProject(db: SqliteConnection, scope: Scope, issueId: number): number | null {
  const row = db.get<{ id: number }>("SELECT project_id AS id FROM issues WHERE id = :issueId", { issueId });
  return row !== undefined && includesProject(scope, row.id) ? row.id : null;
}

/** Subscribes people who are not subscribed and have not unsubscribed, within a write transaction. */
export function subscribe(
  db: SqliteConnection,
  { issueId, userIds, reason }: { issueId: number; userIds: readonly number[]; reason: SubscriptionReason },
): void {
  for (const userId of userIds) {
    db.run(
      `INSERT INTO issue_people (issue_id, user_id, subscription) VALUES (:issueId, :userId, :reason)
       ON CONFLICT DO UPDATE SET subscription = coalesce(subscription, excluded.subscription)`,
      { issueId, userId, reason },
    );
  }
}

/** The subscribers of the issue who see the project. */
export function listSubscribers(db: SqliteConnection, issueId: number, projectId: number): number[] {
  return db
    .all<{ id: number }>(
      `SELECT user_id AS id FROM issue_people AS p
       WHERE issue_id = :issueId AND subscription <> 'off' AND ${memberSees("p.user_id", ":projectId")} ORDER BY 1`,
      { issueId, projectId },
    )
    .map(({ id }) => id);
}

export function listReaders(
  db: SqliteConnection,
  scope: Scope,
  userId: number,
  issueIds: readonly number[],
): Map<number, IssueReader> {
  const rows = db.all<{
    issueId: number;
    subscription: string | null;
    bookmarkedAt: number | null;
    seenAt: number | null;
    snoozedUntil: number | null;
  }>(
    `SELECT p.issue_id AS issueId, subscription, bookmarked_at AS bookmarkedAt, seen_at AS seenAt,
       snoozed_until AS snoozedUntil
     FROM json_each(:issueIds) AS asked CROSS JOIN issue_people AS p ON p.issue_id = asked.value AND p.user_id = :userId
     CROSS JOIN issues AS i ON i.id = p.issue_id
     WHERE i.project_id IN (SELECT value FROM json_each(:projectIds))`,
    { issueIds: JSON.stringify(issueIds), userId, projectIds: JSON.stringify(scope.projectIds) },
  );
  return new Map(
    rows.map(({ issueId, subscription, bookmarkedAt, seenAt, snoozedUntil }) => [
      issueId,
      {
        ...NO_READER,
        subscription: subscription === "off" ? null : (subscription as SubscriptionReason | null),
        isUnsubscribed: subscription === "off",
        isBookmarked: bookmarkedAt !== null,
        seenAt,
        snoozedUntil,
      },
    ]),
  );
}

export function listSeenBy(
  db: SqliteConnection,
  scope: Scope,
  issueId: number,
  limit: number,
): Array<{ id: number; name: string; seenAt: number }> {
  const projectId = findProject(db, scope, issueId);
  if (projectId === null) return [];
  return db.all<{ id: number; name: string; seenAt: number }>(
    `SELECT u.id, u.name, p.seen_at AS seenAt FROM issue_people AS p CROSS JOIN users AS u ON u.id = p.user_id
     WHERE p.issue_id = :issueId AND p.seen_at IS NOT NULL AND ${memberSees("p.user_id", ":projectId")}
     ORDER BY p.seen_at DESC, u.id LIMIT :limit`,
    { issueId, projectId, limit },
  );
}

/** Within a write transaction. */
export function changeReader(
  db: SqliteConnection,
  scope: Scope,
  {
    issueIds,
    userId,
    at,
    isSubscribed,
    subscription,
    isBookmarked,
    hasSeen,
    snoozedUntil,
  }: Parameters<CommentStore["changeReader"]>[1],
): void {
  const set = (issueId: number, column: string, value: string | number | null) =>
    db.run(
      `INSERT INTO issue_people (issue_id, user_id, ${column}) VALUES (:issueId, :userId, :value)
       ON CONFLICT DO UPDATE SET ${column} = excluded.${column}`,
      { issueId, userId, value },
    );
  for (const issueId of toCurrentIssueIds(db, issueIds)) {
    if (findProject(db, scope, issueId) === null) continue;
    if (isSubscribed === false) set(issueId, "subscription", "off");
    else if (isSubscribed && !listReaders(db, scope, userId, [issueId]).get(issueId)?.subscription)
      set(issueId, "subscription", "chosen");
    if (subscription !== undefined) set(issueId, "subscription", subscription);
    if (isBookmarked !== undefined) set(issueId, "bookmarked_at", isBookmarked ? Math.floor(at) : null);
    if (hasSeen !== undefined) set(issueId, "seen_at", hasSeen ? Math.floor(at) : null);
    if (snoozedUntil !== undefined)
      set(issueId, "snoozed_until", snoozedUntil === null ? null : Math.floor(snoozedUntil));
  }
}

export function hasSnoozes(db: SqliteConnection, userId: number, now: number): boolean {
  return (
    db.get("SELECT 1 FROM issue_people WHERE user_id = :userId AND snoozed_until > :now LIMIT 1", { userId, now }) !==
    undefined
  );
}

export function listSnoozers(
  db: SqliteConnection,
  scope: Scope,
  issueIds: readonly number[],
  now: number,
): Array<{ issueId: number; userId: number; email: string }> {
  return db.all<{ issueId: number; userId: number; email: string }>(
    `SELECT p.issue_id AS issueId, p.user_id AS userId, u.email
     FROM json_each(:issueIds) AS asked CROSS JOIN issue_people AS p ON p.issue_id = asked.value AND p.snoozed_until > :now
     CROSS JOIN users AS u ON u.id = p.user_id CROSS JOIN issues AS i ON i.id = p.issue_id
     WHERE i.project_id IN (SELECT value FROM json_each(:projectIds)) ORDER BY 1, 2`,
    { issueIds: JSON.stringify(issueIds), now, projectIds: JSON.stringify(scope.projectIds) },
  );
}

/**
 * Moves subscriptions and bookmarks of an issue that ends to the other issue, within a write transaction. A snooze ends, because nobody has
 * snoozed the other issue.
 */
export function moveIssuePeople(db: SqliteConnection, ids: { issueId: number; targetId: number }): void {
  db.run(
    `INSERT INTO issue_people (issue_id, user_id, subscription, bookmarked_at, seen_at)
     SELECT :targetId, user_id, subscription, bookmarked_at, seen_at FROM issue_people WHERE issue_id = :issueId
     ON CONFLICT DO UPDATE SET
       subscription = coalesce(subscription, excluded.subscription),
       bookmarked_at = coalesce(bookmarked_at, excluded.bookmarked_at),
       seen_at = coalesce(seen_at, excluded.seen_at)`,
    ids,
  );
}

import { toHour } from "../../../domain/time.ts";
import type { SelectedEvent } from "../../events/event-deletion.ts";
import type { TouchedIssue } from "../../state/deletion-store.ts";

import { takeCounts } from "../batches/take-counts.ts";
import type { SqliteConnection } from "../connection.ts";
import { toCountedEnvironmentIds } from "../issues/environments.ts";
import { addActivity } from "../issues/issue-status.ts";
import { toUserHash } from "../issues/user-hash.ts";
import { toCurrentIssueIds } from "../reprocessing/merged-issues.ts";
import { deleteIssue } from "./delete-issues.ts";

type Occurrence = NonNullable<SelectedEvent["occurrence"]>;

/** The kind, person and time of a deletion, from `deletions`. */
interface Asked {
  kind: string;
  userId: number | null;
  at: number;
}

/**
 * Subtracts deleted events from the counts of their issues that still exist, and notes it in their activity. Within a write transaction.
 */
export function takeEvents(db: SqliteConnection, deletionId: number, occurrences: readonly Occurrence[]): void {
  const byIssue = Map.groupBy(occurrences, ({ issueId }) => toCurrentIssueIds(db, [issueId])[0] ?? issueId);
  for (const [issueId, taken] of byIssue) {
    if (db.get("SELECT 1 FROM issues WHERE id = :issueId", { issueId }) === undefined) continue;
    takeFromIssue(db, issueId, taken);
    noteActivity(db, { deletionId, issueId, events: taken.length });
    for (const [userKey, ofUser] of Map.groupBy(taken, (event) => event.userKey ?? "")) {
      db.run(
        `INSERT INTO deletion_issues (deletion_id, issue_id, user_key, event_count)
         VALUES (:deletionId, :issueId, :userKey, :events)
         ON CONFLICT DO UPDATE SET event_count = event_count + excluded.event_count`,
        { deletionId, issueId, userKey, events: ofUser.length },
      );
    }
  }
}

function takeFromIssue(db: SqliteConnection, issueId: number, taken: readonly Occurrence[]): void {
  const times = taken.map(({ occurredAt }) => Math.floor(occurredAt));
  const environments = [...new Set(taken.map(({ environment }) => environment ?? ""))];
  const environmentIds = toCountedEnvironmentIds(db, environments);
  const hours = Map.groupBy(taken, ({ occurredAt, environment }) => `${toHour(occurredAt)} ${environment ?? ""}`);
  const counts = {
    eventCount: taken.length,
    lastSeenByEnvironment: new Map(environments.map((_, index) => [index, 0])),
    *eventsByHour() {
      for (const [first, ...others] of hours.values()) {
        if (first === undefined) continue;
        const { occurredAt, environment } = first;
        yield {
          hour: toHour(occurredAt),
          environment: environments.indexOf(environment ?? ""),
          count: 1 + others.length,
        };
      }
    },
  };
  takeCounts(db, issueId, counts, environmentIds, {
    earliestAt: times.reduce((a, b) => Math.min(a, b)),
    latestAt: times.reduce((a, b) => Math.max(a, b)),
  });
}

/** One entry in the activity for each deletion, however many steps the deletion takes. */
function noteActivity(
  db: SqliteConnection,
  { deletionId, issueId, events }: { deletionId: number; issueId: number; events: number },
): void {
  const noted = db.run(
    `UPDATE issue_activity SET data = json_set(data, '$.events', (data ->> 'events') + :events)
     WHERE issue_id = :issueId AND kind = 'events_deleted' AND data ->> 'deletion' = :deletionId`,
    { issueId, deletionId, events },
  );
  if (noted.changedRows > 0) return;
  const { kind, userId, at } = readAsked(db, deletionId);
  addActivity(db, {
    issueId,
    at,
    kind: "events_deleted",
    userId,
    data: { deletion: deletionId, events, ...(kind === "user" ? { isOfUser: true } : {}) },
  });
}

function readAsked(db: SqliteConnection, deletionId: number): Asked {
  const row = db.get<Asked>("SELECT kind, user_id AS userId, asked_at AS at FROM deletions WHERE id = :deletionId", {
    deletionId,
  });
  if (row === undefined) throw new RangeError(`there is no deletion ${deletionId}`);
  return row;
}

/** Finds the issues that have counted the users, also those whose events retention has dropped. Within a write transaction. */
export function touchIssuesOfUsers(
  db: SqliteConnection,
  deletionId: number,
  { projectIds, userKeys }: { projectIds: readonly number[]; userKeys: readonly string[] },
): void {
  for (const userKey of userKeys) {
    db.run(
      `INSERT OR IGNORE INTO deletion_issues (deletion_id, issue_id, user_key, event_count)
       SELECT :deletionId, i.id, :userKey, 0
       FROM issues AS i CROSS JOIN issue_users AS u ON u.issue_id = i.id AND u.user_hash = :userHash
       WHERE i.project_id IN (SELECT value FROM json_each(:projectIds))`,
      { deletionId, userKey, userHash: toUserHash(userKey), projectIds: JSON.stringify(projectIds) },
    );
  }
}

export function listTouched(db: SqliteConnection, deletionId: number, limit: number): TouchedIssue[] {
  const issues = db.all<{ issueId: number; takenEvents: number }>(
    `SELECT issue_id AS issueId, sum(event_count) AS takenEvents FROM deletion_issues
     WHERE deletion_id = :deletionId GROUP BY issue_id ORDER BY issue_id LIMIT :limit`,
    { deletionId, limit },
  );
  return issues.map(({ issueId, takenEvents }): TouchedIssue => {
    const issue = db.get<{ projectId: number; eventCount: number }>(
      "SELECT project_id AS projectId, event_count AS eventCount FROM issues WHERE id = :issueId",
      { issueId },
    );
    const ended = db.all<{ id: number }>("SELECT issue_id AS id FROM merged_issues WHERE target_issue_id = :issueId", {
      issueId,
    });
    const users = db.all<{ userKey: string }>(
      `SELECT user_key AS userKey FROM deletion_issues
       WHERE deletion_id = :deletionId AND issue_id = :issueId AND user_key <> ''`,
      { deletionId, issueId },
    );
    return {
      issueId,
      projectId: issue?.projectId ?? null,
      eventCount: issue?.eventCount ?? 0,
      takenEvents,
      issueIds: [issueId, ...ended.map(({ id }) => id)],
      userKeys: users.map(({ userKey }) => userKey),
    };
  });
}

/** Within a write transaction. False: the issue has new events, and must be settled again. */
export function settleTouched(
  db: SqliteConnection,
  deletionId: number,
  { issueId, eventCount, goneUserKeys, isEmpty }: TouchedIssue & { goneUserKeys: readonly string[]; isEmpty: boolean },
): boolean {
  const issue = db.get<{ projectId: number; shortId: string; eventCount: number }>(
    "SELECT project_id AS projectId, short_id AS shortId, event_count AS eventCount FROM issues WHERE id = :issueId",
    { issueId },
  );
  if (issue !== undefined) {
    if (isEmpty && issue.eventCount !== eventCount) return false;
    const { kind: _, ...asked } = readAsked(db, deletionId);
    if (isEmpty) deleteIssue(db, { issueId, ...issue }, asked);
    else forgetUsers(db, issueId, goneUserKeys);
  }
  db.run("DELETE FROM deletion_issues WHERE deletion_id = :deletionId AND issue_id = :issueId", {
    deletionId,
    issueId,
  });
  return true;
}

function forgetUsers(db: SqliteConnection, issueId: number, userKeys: readonly string[]): void {
  for (const userKey of userKeys) {
    const gone = db.run("DELETE FROM issue_users WHERE issue_id = :issueId AND user_hash = :userHash", {
      issueId,
      userHash: toUserHash(userKey),
    });
    if (gone.changedRows === 0) continue;
    db.run("UPDATE issues SET user_count = max(user_count - 1, 0) WHERE id = :issueId", { issueId });
  }
}

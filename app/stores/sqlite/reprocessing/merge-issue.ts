import type { KnownIssue } from "../../../domain/issues/known-issue.ts";
import type { RegroupingByRules } from "../../../domain/issues/regroup-events.ts";
import { movePeriods } from "../alerts/periods.ts";
import { moveMissingSourceMaps } from "../artifacts/missing-source-maps.ts";
import type { SqliteConnection } from "../connection.ts";
import { takeRequest } from "../grouping/regrouping-requests.ts";
import { announceActivity } from "../issues/announce-activity.ts";
import { moveIssuePeople } from "../issues/issue-people.ts";
import { TABLES_ENDED_BY_MERGE } from "../issues/issue-tables.ts";
import { noteSuggestionsChange } from "../issues/suggestions.ts";
import { type MergedBy, noteWholeMove, takeActivity } from "./move-activity.ts";

/** Merges an issue into another, within a write transaction. */
export function mergeIssue(
  db: SqliteConnection,
  {
    from,
    targetId,
    at,
    by,
    cause,
  }: {
    from: KnownIssue;
    targetId: number;
    at: number;
    by?: MergedBy;
    cause?: RegroupingByRules["cause"] | undefined;
  },
): void {
  const issueId = from.id;
  const ids = { issueId, targetId };
  announceActivity(db, issueId);
  const left = db.get<{ count: number }>("SELECT event_count AS count FROM issues WHERE id = :issueId", { issueId });
  const eventCount = left?.count ?? 0;
  // If the issue has no events left, its other counts and missing source maps belong to events that have moved before.
  if (eventCount > 0) addRest(db, ids);

  db.run("UPDATE issue_hashes SET issue_id = :targetId WHERE issue_id = :issueId", ids);
  db.run("UPDATE issue_kin_keys SET issue_id = :targetId WHERE issue_id = :issueId", ids);
  db.run("UPDATE event_moves SET to_issue_id = :targetId WHERE to_issue_id = :issueId", ids);
  if (eventCount > 0) moveMissingSourceMaps(db, { ...ids, projectId: from.projectId });
  // If the target is noted, too, its own note is enough.
  db.run("UPDATE OR IGNORE late_issues SET issue_id = :targetId WHERE issue_id = :issueId", ids);
  db.run("UPDATE OR IGNORE issue_fixes SET issue_id = :targetId WHERE issue_id = :issueId", ids);
  // The target keeps its own assignee and priority.
  db.run("UPDATE OR IGNORE issue_assignees SET issue_id = :targetId WHERE issue_id = :issueId", ids);
  db.run(
    `UPDATE issues SET set_priority = (SELECT set_priority FROM issues WHERE id = :issueId)
     WHERE id = :targetId AND set_priority IS NULL`,
    ids,
  );
  moveIssuePeople(db, ids);
  movePeriods(db, ids);
  // Copies, because an undo of the merge puts the rows back.
  db.run(
    `INSERT INTO external_issues (issue_id, url, name, at)
     SELECT :targetId, url, name, at FROM external_issues WHERE issue_id = :issueId ON CONFLICT DO NOTHING`,
    ids,
  );
  takeActivity(db, { from, targetId });
  noteSuggestionsChange(db, targetId);
  noteWholeMove(db, { from, targetId, eventCount, at, cause, ...(by ? { by } : {}) });

  db.run("UPDATE merged_issues SET target_issue_id = :targetId WHERE target_issue_id = :issueId", ids);
  db.run("UPDATE issue_merges SET target_issue_id = :targetId WHERE target_issue_id = :issueId", ids);
  // The issue keeps its own row, because a merge can be undone.
  db.run(
    `INSERT OR IGNORE INTO rule_move_issues (move_id, issue_id)
     SELECT move_id, :targetId FROM rule_move_issues WHERE issue_id = :issueId`,
    ids,
  );
  db.run("UPDATE issue_splits SET issue_id = :targetId WHERE issue_id = :issueId", ids);
  takeRequest(db, ids);
  db.run(
    `INSERT INTO merged_issues (issue_id, short_id, target_issue_id, merged_at)
     VALUES (:issueId, :shortId, :targetId, :at)`,
    { ...ids, shortId: from.shortId, at: Math.floor(at) },
  );
  db.run("DELETE FROM wanted_source_maps WHERE project_id = :projectId AND issue_id = :issueId", {
    issueId,
    projectId: from.projectId,
  });
  db.run(
    `INSERT INTO issue_volume (issue_id, hour, arrived, left_out)
     SELECT :targetId, hour, arrived, left_out FROM issue_volume WHERE issue_id = :issueId
     ON CONFLICT DO UPDATE SET arrived = arrived + excluded.arrived, left_out = left_out + excluded.left_out`,
    ids,
  );
  db.run(
    `INSERT INTO issue_left_out (minute, issue_id, left_out)
     SELECT minute, :targetId, left_out FROM issue_left_out WHERE issue_id = :issueId
     ON CONFLICT DO UPDATE SET left_out = left_out + excluded.left_out`,
    ids,
  );
  for (const table of TABLES_ENDED_BY_MERGE) db.run(`DELETE FROM ${table} WHERE issue_id = :issueId`, { issueId });
  db.run("DELETE FROM issue_search WHERE rowid = :issueId", { issueId });
  db.run("DELETE FROM issues WHERE id = :issueId", { issueId });
}

/** Adds the counts of events that the event store no longer has. */
function addRest(db: SqliteConnection, ids: { issueId: number; targetId: number }): void {
  for (const [table, column] of [
    ["issue_hours", "hour"],
    ["issue_days", "day"],
  ]) {
    db.run(
      `INSERT INTO ${table} (issue_id, ${column}, environment_id, event_count)
       SELECT :targetId, ${column}, environment_id, event_count FROM ${table} WHERE issue_id = :issueId
       ON CONFLICT DO UPDATE SET event_count = event_count + excluded.event_count`,
      ids,
    );
  }
  db.run(
    `INSERT INTO issue_environments (environment_id, issue_id, last_seen_at)
     SELECT environment_id, :targetId, last_seen_at FROM issue_environments WHERE issue_id = :issueId
     ON CONFLICT DO UPDATE SET last_seen_at = max(last_seen_at, excluded.last_seen_at)`,
    ids,
  );
  db.run(
    `INSERT OR IGNORE INTO issue_releases (release_id, issue_id)
     SELECT release_id, :targetId FROM issue_releases WHERE issue_id = :issueId`,
    ids,
  );
  const { changedRows: newUserCount } = db.run(
    `INSERT OR IGNORE INTO issue_users (issue_id, user_hash)
     SELECT :targetId, user_hash FROM issue_users WHERE issue_id = :issueId`,
    ids,
  );
  db.run(
    `UPDATE issues SET
       event_count = issues.event_count + f.event_count,
       user_count = issues.user_count + :newUserCount,
       first_seen_at = min(issues.first_seen_at, f.first_seen_at),
       last_seen_at = max(issues.last_seen_at, f.last_seen_at),
       first_release_id = iif(f.first_seen_at < issues.first_seen_at, f.first_release_id, issues.first_release_id),
       last_release_id = iif(f.last_seen_at > issues.last_seen_at, f.last_release_id, issues.last_release_id)
     FROM (SELECT * FROM issues WHERE id = :issueId) AS f
     WHERE issues.id = :targetId`,
    { ...ids, newUserCount },
  );
}

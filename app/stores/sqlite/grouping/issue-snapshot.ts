import type { SqliteConnection } from "../connection.ts";

type Value = string | number | null;
type Row = Record<string, Value>;

/** An issue without its counts, which come back with its events. */
export interface IssueSnapshot {
  issue: Row;
  /** Rows by table: the issue's resolution, assignee and the like. */
  rows: Record<string, Row[]>;
  aliases: string[];
  /** Issues that had been merged into it. */
  ended: number[];
  /** Splits of it. Absent in older snapshots. */
  splits?: number[];
  firstSeen: { at: number; data: string; id: number } | null;
  /** Id of its newest activity. */
  lastActivityId: number;
}

const TABLES = ["issue_resolutions", "issue_archives", "issue_assignees", "issue_people", "external_issues"];

export function readSnapshot(db: SqliteConnection, issueId: number): IssueSnapshot {
  const issue = db.get<Row>("SELECT * FROM issues WHERE id = :issueId", { issueId });
  if (issue === undefined) throw new RangeError(`there is no issue ${issueId}`);
  const rows = TABLES.map((table) => [
    table,
    db.all<Row>(`SELECT * FROM ${table} WHERE issue_id = :issueId`, { issueId }),
  ]);
  return {
    issue,
    rows: Object.fromEntries(rows),
    aliases: db
      .all<{ key: string }>("SELECT key FROM issue_kin_keys WHERE issue_id = :issueId", { issueId })
      .map(({ key }) => key),
    ended: db
      .all<{ id: number }>("SELECT issue_id AS id FROM merged_issues WHERE target_issue_id = :issueId", { issueId })
      .map(({ id }) => id),
    splits: db
      .all<{ id: number }>("SELECT id FROM issue_splits WHERE issue_id = :issueId", { issueId })
      .map(({ id }) => id),
    firstSeen:
      db.get<{ at: number; data: string; id: number }>(
        "SELECT id, at, data FROM issue_activity WHERE issue_id = :issueId AND kind = 'first_seen' ORDER BY id LIMIT 1",
        { issueId },
      ) ?? null,
    lastActivityId: db.get<{ id: number }>("SELECT coalesce(max(id), 0) AS id FROM issue_activity", {})?.id ?? 0,
  };
}

/** Restores the issue without its events, within a write transaction. */
export function restoreSnapshot(
  db: SqliteConnection,
  { issue, rows, aliases, ended, splits = [], firstSeen, lastActivityId }: IssueSnapshot,
  { issueId, targetId }: { issueId: number; targetId: number },
): void {
  const { first_release_id: firstReleaseId, last_release_id: lastReleaseId, ...rest } = issue;
  insert(db, "issues", {
    ...rest,
    event_count: 0,
    user_count: 0,
    first_release_id: knownRelease(db, firstReleaseId),
    last_release_id: knownRelease(db, lastReleaseId),
  });
  db.run("INSERT INTO issue_search (rowid, text) VALUES (:issueId, :text)", {
    issueId,
    text: String(issue.search_text ?? ""),
  });
  for (const [table, all] of Object.entries(rows)) {
    if (!TABLES.includes(table)) continue;
    for (const row of all) if (!("user_id" in row) || isThere(db, row)) insert(db, table, row);
  }
  const ids = { issueId, targetId };
  db.run(
    `UPDATE issue_kin_keys SET issue_id = :issueId
     WHERE issue_id = :targetId AND key IN (SELECT value FROM json_each(:aliases))`,
    { ...ids, aliases: JSON.stringify(aliases) },
  );
  db.run(
    `UPDATE merged_issues SET target_issue_id = :issueId
     WHERE target_issue_id = :targetId AND issue_id IN (SELECT value FROM json_each(:ended))`,
    { ...ids, ended: JSON.stringify(ended) },
  );
  db.run(
    `UPDATE issue_merges SET target_issue_id = :issueId
     WHERE target_issue_id = :targetId AND issue_id IN (SELECT value FROM json_each(:ended))`,
    { ...ids, ended: JSON.stringify(ended) },
  );
  db.run(
    `UPDATE issue_splits SET issue_id = :issueId
     WHERE issue_id = :targetId AND id IN (SELECT value FROM json_each(:splits))`,
    { ...ids, splits: JSON.stringify(splits) },
  );
  // The activity from before the merge belongs to the issue again. `first_seen` gets its old id if that is free, because activities are
  // shown in the order of their ids.
  if (firstSeen !== null)
    db.run(
      `INSERT INTO issue_activity (id, issue_id, at, kind, user_id, data)
       VALUES (iif(EXISTS (SELECT 1 FROM issue_activity WHERE id = :id), NULL, :id), :issueId, :at, 'first_seen', NULL, :data)`,
      { issueId, ...firstSeen },
    );
  db.run(
    `UPDATE issue_activity SET issue_id = :issueId, data = json_remove(data, '$.ofShortId')
     WHERE issue_id = :targetId AND id <= :lastActivityId AND data ->> 'ofShortId' = :shortId`,
    { ...ids, lastActivityId, shortId: String(issue.short_id) },
  );
}

function insert(db: SqliteConnection, table: string, row: Row): void {
  const columns = Object.keys(row);
  db.run(
    `INSERT OR REPLACE INTO ${table} (${columns.join(", ")}) VALUES (${columns.map((name) => `:${name}`).join(", ")})`,
    row,
  );
}

/** Whether the person or team of a row still exists. Otherwise the row is not restored. */
function isThere(db: SqliteConnection, { user_id: userId = null, team_id: teamId = null }: Row): boolean {
  const found =
    userId === null
      ? db.get("SELECT 1 FROM teams WHERE id = :teamId", { teamId })
      : db.get("SELECT 1 FROM members WHERE user_id = :userId", { userId });
  return found !== undefined;
}

function knownRelease(db: SqliteConnection, releaseId: Value | undefined): number | null {
  if (typeof releaseId !== "number") return null;
  return db.get("SELECT 1 FROM releases WHERE id = :releaseId", { releaseId }) === undefined ? null : releaseId;
}

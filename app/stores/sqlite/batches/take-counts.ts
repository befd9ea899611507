import type { IssueChange } from "../../../domain/issues/issue-change.ts";
import { HOUR_MS, toHour } from "../../../domain/time.ts";
import type { SqliteConnection } from "../connection.ts";
import { OVERFLOW_ENVIRONMENT_ID } from "../issues/environments.ts";

/** The counts to remove. Only the keys of the environments are used. */
export type TakenCounts = Pick<IssueChange, "eventsByHour" | "lastSeenByEnvironment" | "eventCount">;

/** Subtracts the counts of events that belong to another issue now, or are deleted. Within a write transaction. */
export function takeCounts(
  db: SqliteConnection,
  issueId: number,
  change: TakenCounts,
  environmentIds: readonly number[],
  events: { earliestAt: number; latestAt: number },
): void {
  for (const { hour, environment, count } of change.eventsByHour()) {
    const environmentId = environmentIds[environment] ?? OVERFLOW_ENVIRONMENT_ID;
    takeFrom(db, "issue_hours", "hour", { issueId, unit: hour, environmentId, count });
    takeFrom(db, "issue_days", "day", { issueId, unit: Math.floor(hour / 24), environmentId, count });
  }
  for (const environment of change.lastSeenByEnvironment.keys()) {
    shortenEnvironment(db, issueId, environmentIds[environment] ?? OVERFLOW_ENVIRONMENT_ID);
  }
  db.run("UPDATE issues SET event_count = max(event_count - :count, 0) WHERE id = :issueId", {
    issueId,
    count: change.eventCount,
  });
  shortenLife(db, issueId, events);
}

function takeFrom(
  db: SqliteConnection,
  table: "issue_hours" | "issue_days",
  column: "hour" | "day",
  row: { issueId: number; unit: number; environmentId: number; count: number },
): void {
  const isRow = `issue_id = :issueId AND ${column} = :unit AND environment_id = :environmentId`;
  const { changedRows } = db.run(
    `UPDATE ${table} SET event_count = event_count - :count WHERE ${isRow} AND event_count > :count`,
    { ...row },
  );
  if (changedRows > 0 || db.run(`DELETE FROM ${table} WHERE ${isRow}`, { ...row }).changedRows > 0) return;
  // The project may have had no room for the environment when the events came.
  if (row.environmentId !== OVERFLOW_ENVIRONMENT_ID) {
    takeFrom(db, table, column, { ...row, environmentId: OVERFLOW_ENVIRONMENT_ID });
  }
}

/** Adjusts when the environment was last seen, because its latest event may be gone: at most to the end of its last remaining hour. */
function shortenEnvironment(db: SqliteConnection, issueId: number, environmentId: number): void {
  const left = db.get<{ hour: number | null }>(
    "SELECT max(hour) AS hour FROM issue_hours WHERE issue_id = :issueId AND environment_id = :environmentId",
    { issueId, environmentId },
  );
  if (left === undefined || left.hour === null) {
    db.run("DELETE FROM issue_environments WHERE issue_id = :issueId AND environment_id = :environmentId", {
      issueId,
      environmentId,
    });
    return;
  }
  db.run(
    `UPDATE issue_environments SET last_seen_at = min(last_seen_at, :latestAt)
     WHERE issue_id = :issueId AND environment_id = :environmentId`,
    { issueId, environmentId, latestAt: (left.hour + 1) * HOUR_MS - 1 },
  );
}

/**
 * Adjusts when the issue was first and last seen, but only if an event of that hour is gone: hours are also dropped with time, although the
 * issue was seen in them.
 */
function shortenLife(
  db: SqliteConnection,
  issueId: number,
  { earliestAt, latestAt }: { earliestAt: number; latestAt: number },
): void {
  const left = db.get<{ first: number | null; last: number | null }>(
    "SELECT min(hour) AS first, max(hour) AS last FROM issue_hours WHERE issue_id = :issueId",
    { issueId },
  );
  if (left === undefined || left.first === null || left.last === null) return;
  db.run(
    `UPDATE issues SET first_seen_at = max(first_seen_at, :firstHourAt)
     WHERE id = :issueId AND first_seen_at >= :earliestHourAt AND first_seen_at < :firstHourAt`,
    { issueId, earliestHourAt: toHour(earliestAt) * HOUR_MS, firstHourAt: left.first * HOUR_MS },
  );
  db.run(
    `UPDATE issues SET last_seen_at = min(last_seen_at, :lastHourEndAt)
     WHERE id = :issueId AND last_seen_at <= :latestHourEndAt AND last_seen_at > :lastHourEndAt`,
    {
      issueId,
      latestHourEndAt: (toHour(latestAt) + 1) * HOUR_MS - 1,
      lastHourEndAt: (left.last + 1) * HOUR_MS - 1,
    },
  );
}

import type { ReleaseDayChange } from "../../../domain/releases/name-releases.ts";
import type { Scope } from "../../../domain/scope.ts";
import { DAY_MS, toDay } from "../../../domain/time.ts";
import type { LeftOutReleases } from "../../state/release-store.ts";
import type { SqliteConnection } from "../connection.ts";

/** How many releases events have made in the project on the day of the instant. */
export function loadMadeCount(
  db: SqliteConnection,
  { projectId, receivedAt }: { projectId: number; receivedAt: number },
): number {
  const row = db.get<{ count: number }>(
    "SELECT release_count AS count FROM release_days WHERE project_id = :projectId AND day = :day",
    { projectId, day: toDay(receivedAt) },
  );
  return row?.count ?? 0;
}

/** Within a write transaction. */
export function saveReleaseDays(db: SqliteConnection, days: readonly ReleaseDayChange[]): void {
  for (const { projectId, day, madeCount, leftOutEventCount, lastLeftOut } of days) {
    db.run(
      `INSERT INTO release_days (project_id, day, release_count, left_out_event_count, last_left_out)
       VALUES (:projectId, :day, :madeCount, :leftOutEventCount, :lastLeftOut)
       ON CONFLICT DO UPDATE SET release_count = release_count + excluded.release_count,
         left_out_event_count = left_out_event_count + excluded.left_out_event_count,
         last_left_out = coalesce(excluded.last_left_out, last_left_out)`,
      { projectId, day, madeCount, leftOutEventCount, lastLeftOut },
    );
  }
}

const MAX_LISTED = 100;

export function listLeftOutReleases(db: SqliteConnection, scope: Scope, since: number): LeftOutReleases[] {
  return db
    .all<Omit<LeftOutReleases, "dayAt"> & { day: number }>(
      `SELECT project_id AS projectId, day, left_out_event_count AS eventCount, last_left_out AS lastVersion
       FROM release_days
       WHERE last_left_out IS NOT NULL AND day >= :day
         AND project_id IN (SELECT value FROM json_each(:projectIds))
       ORDER BY day DESC, project_id LIMIT ${MAX_LISTED}`,
      { day: toDay(since), projectIds: JSON.stringify(scope.projectIds) },
    )
    .map(({ day, ...row }) => ({ ...row, dayAt: day * DAY_MS }));
}

/** Drops days before that of the instant. Returns how many rows were deleted. Within a write transaction. */
export function dropReleaseDaysBefore(db: SqliteConnection, instantMs: number): number {
  return db.run("DELETE FROM release_days WHERE day < :day", { day: toDay(instantMs) }).changedRows;
}

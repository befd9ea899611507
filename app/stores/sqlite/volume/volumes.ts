import { includesProject, type Scope } from "../../../domain/scope.ts";
import { HOUR_MS, MINUTE_MS, toHour } from "../../../domain/time.ts";
import type { IssueHour, ProjectHour } from "../../../domain/volume/decide-volume.ts";
import { LEFT_OUT_KEPT_MS } from "../../state/volume-store.ts";
import type { SqliteConnection } from "../connection.ts";

export function sumIssueVolume(
  db: SqliteConnection,
  scope: Scope,
  { projectId, issueId, since }: { projectId: number; issueId: number; since: number },
): IssueHour {
  const nothing = { arrived: 0, leftOut: 0 };
  if (!includesProject(scope, projectId)) return nothing;
  return (
    db.get<IssueHour>(
      `SELECT coalesce(sum(arrived), 0) AS arrived, coalesce(sum(left_out), 0) AS leftOut FROM issue_volume
       WHERE issue_id = (SELECT id FROM issues WHERE id = :issueId AND project_id = :projectId) AND hour >= :hour`,
      { issueId, projectId, hour: toHour(since) },
    ) ?? nothing
  );
}

export function listLeftOut(
  db: SqliteConnection,
  scope: Scope,
  { since, until = Number.MAX_SAFE_INTEGER, limit }: { since: number; until?: number | undefined; limit: number },
  now: number,
): Map<number, number> {
  // From this hour on, all minutes are stored.
  const keptFrom = Math.ceil((now - LEFT_OUT_KEPT_MS) / HOUR_MS) * HOUR_MS;
  const rows = db.all<{ issueId: number; leftOut: number }>(
    `SELECT l.issue_id AS issueId, CAST(round(sum(l.left_out)) AS INTEGER) AS leftOut
     FROM (
       SELECT issue_id, left_out FROM issue_left_out WHERE minute >= :fromMinute AND minute < :toMinute
       UNION ALL
       SELECT issue_id, left_out * (min(:until, (hour + 1) * ${HOUR_MS}) - max(:since, hour * ${HOUR_MS})) / ${HOUR_MS}.0
       FROM issue_volume
       WHERE left_out > 0 AND hour >= :since / ${HOUR_MS} AND hour < :keptFrom / ${HOUR_MS} AND hour * ${HOUR_MS} < :until
     ) AS l CROSS JOIN issues AS i ON i.id = l.issue_id
     WHERE i.project_id IN (SELECT value FROM json_each(:projectIds))
     GROUP BY l.issue_id HAVING leftOut > 0 ORDER BY leftOut DESC, issueId LIMIT :limit`,
    {
      ...{ since: Math.floor(since), until, keptFrom, limit },
      fromMinute: toMinute(Math.max(since, keptFrom)),
      toMinute: Math.ceil(until / MINUTE_MS),
      projectIds: JSON.stringify(scope.projectIds),
    },
  );
  return new Map(rows.map(({ issueId, leftOut }) => [issueId, leftOut]));
}

/** Counts events that are not stored, by issue and minute, within a write transaction. Drops minutes that no page shows any more. */
export function noteLeftOut(
  db: SqliteConnection,
  events: ReadonlyArray<{ issueId: number; receivedAt: number }>,
): void {
  const [first] = events;
  if (first === undefined) return;
  const counts = new Map<string, number>();
  for (const { issueId, receivedAt } of events) {
    const key = `${toMinute(receivedAt)} ${issueId}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const [key, leftOut] of counts) {
    const [minute = 0, issueId = 0] = key.split(" ").map(Number);
    db.run(
      `INSERT INTO issue_left_out (minute, issue_id, left_out) VALUES (:minute, :issueId, :leftOut)
       ON CONFLICT DO UPDATE SET left_out = left_out + excluded.left_out`,
      { minute, issueId, leftOut },
    );
  }
  const newest = events.reduce((latest, { receivedAt }) => Math.max(latest, receivedAt), first.receivedAt);
  db.run("DELETE FROM issue_left_out WHERE minute < :minute", { minute: toMinute(newest - LEFT_OUT_KEPT_MS) });
}

/** Whole minutes since 1970. */
function toMinute(at: number): number {
  return Math.floor(at / MINUTE_MS);
}

export function getProjectHour(
  db: SqliteConnection,
  scope: Scope,
  { projectId, at }: { projectId: number; at: number },
): ProjectHour | null {
  if (!includesProject(scope, projectId)) return null;
  const row = db.get<Omit<ProjectHour, "spike"> & { bound: number | null; usual: number | null }>(
    "SELECT bound, usual, arrived, stored, spared FROM project_volume WHERE project_id = :projectId AND hour = :hour",
    { projectId, hour: toHour(at) },
  );
  if (row === undefined) return null;
  const { bound, usual, ...counts } = row;
  return { ...counts, spike: bound === null || usual === null ? null : { bound, usual } };
}

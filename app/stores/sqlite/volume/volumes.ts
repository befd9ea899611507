import { includesProject, type Scope } from "../../../domain/scope.ts";
import { toHour } from "../../../domain/time.ts";
import type { IssueHour, ProjectHour } from "../../../domain/volume/decide-volume.ts";
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

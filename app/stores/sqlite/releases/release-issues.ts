import type { SqliteConnection } from "../connection.ts";
import { findOrderedRelease } from "./release-order.ts";

const MAX_LISTED = 100;

export function listReleaseIssues(
  db: SqliteConnection,
  version: string,
  projectIds: number[] | null,
): { newIssueIds: number[]; regressedIssueIds: number[]; resolvedIssueIds: number[] } {
  const release = findOrderedRelease(db, version);
  const inProjects = projectIds === null ? "" : "AND i.project_id IN (SELECT value FROM json_each(:projectIds))";
  const params = { version, ...(projectIds === null ? {} : { projectIds: JSON.stringify(projectIds) }) };
  const listIds = (sql: string, releaseId: number) =>
    db.all<{ id: number }>(`${sql} LIMIT ${MAX_LISTED}`, { ...params, releaseId }).map((row) => row.id);
  return {
    newIssueIds:
      release === null
        ? []
        : listIds(
            `SELECT i.id FROM issues AS i INDEXED BY issues_by_first_release
             WHERE i.first_release_id = :releaseId ${inProjects}
             ORDER BY i.first_seen_at DESC, i.id DESC`,
            release.id,
          ),
    regressedIssueIds:
      release === null
        ? []
        : listIds(
            `SELECT i.id FROM issue_activity AS a CROSS JOIN issues AS i ON i.id = a.issue_id
             WHERE a.release_id = :releaseId AND a.kind = 'regressed' ${inProjects}
             GROUP BY i.id ORDER BY max(a.id) DESC`,
            release.id,
          ),
    // A release that is only named, and not made yet, may have some too.
    resolvedIssueIds: listIds(
      `SELECT i.id FROM issue_resolutions AS w CROSS JOIN issues AS i ON i.id = w.issue_id
       WHERE w.kind = 'release' AND w.version = :version AND i.status = 'resolved' ${inProjects}
       ORDER BY i.status_changed_at DESC, i.id DESC`,
      0,
    ),
  };
}

const MAX_COUNTED = 1_000;

/** By which issues have events of the two releases. */
export function compareReleaseIssues(
  db: SqliteConnection,
  version: string,
  baseVersion: string,
  projectIds: number[] | null,
): Record<"only" | "both" | "gone", { count: number; issueIds: number[] }> {
  const ids = [version, baseVersion].map((name) => findOrderedRelease(db, name)?.id ?? null);
  const [ownId = null, baseId = null] = ids;
  const find = (releaseId: number | null, otherId: number | null, isInOther: boolean) => {
    const issueIds = db
      .all<{ id: number }>(
        `SELECT i.id FROM issue_releases AS here CROSS JOIN issues AS i ON i.id = here.issue_id
         WHERE here.release_id = :releaseId
           AND ${isInOther ? "" : "NOT"} EXISTS (
             SELECT 1 FROM issue_releases WHERE release_id = :otherId AND issue_id = here.issue_id)
           ${projectIds === null ? "" : "AND i.project_id IN (SELECT value FROM json_each(:projectIds))"}
         ORDER BY i.last_seen_at DESC, i.id DESC LIMIT ${MAX_COUNTED}`,
        { releaseId, otherId, ...(projectIds === null ? {} : { projectIds: JSON.stringify(projectIds) }) },
      )
      .map((row) => row.id);
    return { count: issueIds.length, issueIds: issueIds.slice(0, MAX_LISTED) };
  };
  return { only: find(ownId, baseId, false), both: find(ownId, baseId, true), gone: find(baseId, ownId, false) };
}

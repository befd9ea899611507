import type { Scope } from "../../../domain/scope.ts";
import type { SqliteConnection } from "../connection.ts";
import { findScopedRelease } from "./release-order.ts";

const MAX_LISTED = 100;
/** A condition on `issues AS i`. */
const IN_SCOPE = "i.project_id IN (SELECT value FROM json_each(:projectIds))";

export function listReleaseIssues(
  db: SqliteConnection,
  scope: Scope,
  version: string,
): { newIssueIds: number[]; regressedIssueIds: number[]; resolvedIssueIds: number[] } {
  const release = findScopedRelease(db, scope, version);
  const params = { version, projectIds: JSON.stringify(scope.projectIds) };
  const listIds = (sql: string, releaseId: number) =>
    db.all<{ id: number }>(`${sql} LIMIT ${MAX_LISTED}`, { ...params, releaseId }).map((row) => row.id);
  return {
    newIssueIds:
      release === null
        ? []
        : listIds(
            `SELECT i.id FROM issues AS i INDEXED BY issues_by_first_release
             WHERE i.first_release_id = :releaseId AND ${IN_SCOPE}
             ORDER BY i.first_seen_at DESC, i.id DESC`,
            release.id,
          ),
    regressedIssueIds:
      release === null
        ? []
        : listIds(
            `SELECT i.id FROM issue_activity AS a CROSS JOIN issues AS i ON i.id = a.issue_id
             WHERE a.release_id = :releaseId AND a.kind = 'regressed' AND ${IN_SCOPE}
             GROUP BY i.id ORDER BY max(a.id) DESC`,
            release.id,
          ),
    // A release that was named but does not exist yet may have resolved issues, too.
    resolvedIssueIds: listIds(
      `SELECT i.id FROM issue_resolutions AS w CROSS JOIN issues AS i ON i.id = w.issue_id
       WHERE w.kind = 'release' AND w.version = :version AND i.status = 'resolved' AND ${IN_SCOPE}
       ORDER BY i.status_changed_at DESC, i.id DESC`,
      0,
    ),
  };
}

const MAX_COUNTED = 1_000;

/** Compares the issues with events in the two releases. */
export function compareReleaseIssues(
  db: SqliteConnection,
  scope: Scope,
  version: string,
  baseVersion: string,
): Record<"only" | "both" | "gone", { count: number; issueIds: number[] }> {
  const ids = [version, baseVersion].map((name) => findScopedRelease(db, scope, name)?.id ?? null);
  const [ownId = null, baseId = null] = ids;
  const find = (releaseId: number | null, otherId: number | null, isInOther: boolean) => {
    const issueIds = db
      .all<{ id: number }>(
        `SELECT i.id FROM issue_releases AS here CROSS JOIN issues AS i ON i.id = here.issue_id
         WHERE here.release_id = :releaseId
           AND ${isInOther ? "" : "NOT"} EXISTS (
             SELECT 1 FROM issue_releases WHERE release_id = :otherId AND issue_id = here.issue_id)
           AND ${IN_SCOPE}
         ORDER BY i.last_seen_at DESC, i.id DESC LIMIT ${MAX_COUNTED}`,
        { releaseId, otherId, projectIds: JSON.stringify(scope.projectIds) },
      )
      .map((row) => row.id);
    return { count: issueIds.length, issueIds: issueIds.slice(0, MAX_LISTED) };
  };
  return { only: find(ownId, baseId, false), both: find(ownId, baseId, true), gone: find(baseId, ownId, false) };
}

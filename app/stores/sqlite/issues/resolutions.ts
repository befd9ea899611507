import type { Resolution, ResolutionRequest } from "../../../domain/release.ts";
import type { SqliteConnection } from "../connection.ts";
import {
  compareReleases,
  findLatestRelease,
  findOrderedRelease,
  ORDER_COLUMNS,
  type OrderedRelease,
  type OrderedReleaseRow,
  toOrderedRelease,
  toVersionKey,
} from "../releases/release-order.ts";

export interface ResolutionRow {
  kind: Resolution["kind"];
  version: string | null;
  commit_id: string | null;
  repository: string | null;
}

export function toResolution(row: ResolutionRow): Resolution {
  if (row.kind === "next_release") return { kind: "next_release", after: row.version };
  if (row.kind === "release") return { kind: "release", version: row.version ?? "" };
  return { kind: "commit", commitId: row.commit_id ?? "", repository: row.repository ?? "" };
}

export function getResolution(db: SqliteConnection, issueId: number): Resolution | null {
  const row = db.get<ResolutionRow>(
    "SELECT kind, version, commit_id, repository FROM issue_resolutions WHERE issue_id = :issueId",
    { issueId },
  );
  return row ? toResolution(row) : null;
}

/** Within a write transaction. */
export function setResolution(
  db: SqliteConnection,
  { issueId, projectId }: { issueId: number; projectId: number },
  resolution: Resolution | null,
): void {
  if (resolution === null) {
    db.run("DELETE FROM issue_resolutions WHERE issue_id = :issueId", { issueId });
    return;
  }
  db.run(
    `INSERT OR REPLACE INTO issue_resolutions (issue_id, project_id, kind, version, commit_id, repository)
     VALUES (:issueId, :projectId, :kind, :version, :commitId, :repository)`,
    {
      issueId,
      projectId,
      kind: resolution.kind,
      version:
        resolution.kind === "release"
          ? resolution.version
          : resolution.kind === "next_release"
            ? resolution.after
            : null,
      commitId: resolution.kind === "commit" ? resolution.commitId : null,
      repository: resolution.kind === "commit" ? resolution.repository : null,
    },
  );
}

/** What is asked for, with the releases that are there now. */
export function toSettledResolution(
  db: SqliteConnection,
  projectId: number,
  request: ResolutionRequest | null,
): Resolution | null {
  switch (request?.kind) {
    case undefined:
      return null;
    case "release":
      return request;
    case "latest_release": {
      const latest = findLatestRelease(db, projectId);
      return latest === null ? null : { kind: "release", version: latest.version };
    }
    case "next_release":
      if (request.after !== undefined) return { kind: "next_release", after: request.after };
      return { kind: "next_release", after: findLatestRelease(db, projectId)?.version ?? null };
    case "commit": {
      const first = findReleasesWithCommit(db, projectId, request).sort(compareReleases)[0];
      return first ? { kind: "release", version: first.version } : request;
    }
  }
}

function findReleasesWithCommit(
  db: SqliteConnection,
  projectId: number,
  { commitId, repository }: { commitId: string; repository: string },
): OrderedRelease[] {
  return db
    .all<OrderedReleaseRow>(
      `SELECT DISTINCT ${ORDER_COLUMNS}
       FROM release_commits AS c
       CROSS JOIN releases AS r ON r.id = c.release_id
       CROSS JOIN release_projects AS p ON p.project_id = :projectId AND p.release_id = r.id
       WHERE c.commit_id = :commitId AND c.repository = :repository`,
      { projectId, commitId, repository },
    )
    .map(toOrderedRelease);
}

/**
 * Whether an event of the release says nothing about an issue that was resolved so. A release that is named and not made
 * yet is newer than every other, unless their versions say otherwise. While a commit waits for its release, nothing that
 * names a release brings the issue back: no release is known to have the fix, so none is known to have been tried.
 */
export function isOldNews(
  db: SqliteConnection,
  { resolution, resolvedAt }: { resolution: Resolution; resolvedAt: number },
  release: OrderedRelease,
): boolean {
  switch (resolution.kind) {
    case "commit":
      return true;
    case "next_release":
      return compareReleases(release, toLastOld(db, resolution.after, resolvedAt)) <= 0;
    case "release": {
      if (release.version === resolution.version) return false;
      const fixed =
        findOrderedRelease(db, resolution.version) ?? toUnknown(resolution.version, Number.POSITIVE_INFINITY);
      return compareReleases(release, fixed) < 0;
    }
  }
}

/** Where the release is gone, or there was none, that of the moment of the resolve stands for it. */
function toLastOld(db: SqliteConnection, after: string | null, resolvedAt: number): OrderedRelease {
  if (after === null)
    return { id: Number.POSITIVE_INFINITY, version: "", package: "", sortKey: "", orderedAt: resolvedAt };
  return findOrderedRelease(db, after) ?? toUnknown(after, resolvedAt);
}

function toUnknown(version: string, orderedAt: number): OrderedRelease {
  return { id: Number.POSITIVE_INFINITY, version, ...toVersionKey(version), orderedAt };
}

/** Within a write transaction, when a project gets the release: issues that waited for one like it now name it. */
export function settleResolutions(db: SqliteConnection, projectId: number, release: OrderedRelease): void {
  const waiting = db.all<{ issue_id: number; version: string | null; resolved_at: number }>(
    `SELECT w.issue_id, w.version, i.status_changed_at AS resolved_at
     FROM issue_resolutions AS w CROSS JOIN issues AS i ON i.id = w.issue_id
     WHERE w.project_id = :projectId AND w.kind = 'next_release' AND w.kind <> 'release'`,
    { projectId },
  );
  for (const { issue_id: issueId, version, resolved_at: resolvedAt } of waiting) {
    if (compareReleases(release, toLastOld(db, version, resolvedAt)) <= 0) continue;
    setResolution(db, { issueId, projectId }, { kind: "release", version: release.version });
  }
  settleCommits(db, projectId, release);
}

/** Within a write transaction, when a release of the project gets its commits. */
export function settleCommits(db: SqliteConnection, projectId: number, release: OrderedRelease): void {
  db.run(
    `UPDATE issue_resolutions SET kind = 'release', version = :version, commit_id = NULL, repository = NULL
     WHERE project_id = :projectId AND kind = 'commit' AND kind <> 'release'
       AND EXISTS (
         SELECT 1 FROM release_commits AS c
         WHERE c.commit_id = issue_resolutions.commit_id AND c.repository = issue_resolutions.repository
           AND c.release_id = :releaseId)`,
    { projectId, version: release.version, releaseId: release.id },
  );
}

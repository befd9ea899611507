import { settleOnRelease, toComparedVersion, type WaitingIssue } from "../../../domain/issues/resolutions.ts";
import type { Resolution } from "../../../domain/release.ts";
import type { OrderedRelease } from "../../../domain/releases/release-order.ts";
import { asFields } from "../../sql/columns.ts";
import type { SqliteConnection } from "../connection.ts";
import { loadCommitsOfReleases, toCommitKey } from "../releases/awaited-commits.ts";
import { loadOrderedReleases } from "../releases/release-order.ts";

export interface ResolutionRow {
  kind: Resolution["kind"];
  version: string | null;
  commitId: string | null;
  repository: string | null;
}

const COLUMNS = asFields("w.issue_id, w.kind, w.version, w.commit_id, w.repository");

export function toResolution(row: ResolutionRow): Resolution {
  if (row.kind === "next_release") return { kind: "next_release", after: row.version };
  if (row.kind === "release") return { kind: "release", version: row.version ?? "" };
  return { kind: "commit", commitId: row.commitId ?? "", repository: row.repository ?? "" };
}

export function loadResolutions(db: SqliteConnection, issueIds: readonly number[]): Map<number, Resolution> {
  if (issueIds.length === 0) return new Map();
  const rows = db.all<ResolutionRow & { issueId: number }>(
    `SELECT ${COLUMNS}
     FROM json_each(:issueIds) AS asked CROSS JOIN issue_resolutions AS w ON w.issue_id = asked.value`,
    { issueIds: JSON.stringify(issueIds) },
  );
  return new Map(rows.map((row) => [row.issueId, toResolution(row)]));
}

/** The issues of a project that wait for a release. */
export function loadWaitingIssues(db: SqliteConnection, projectId: number): WaitingIssue[] {
  return db
    .all<ResolutionRow & { issueId: number; resolvedAt: number }>(
      `SELECT ${COLUMNS}, i.status_changed_at AS resolvedAt
       FROM issue_resolutions AS w CROSS JOIN issues AS i ON i.id = w.issue_id
       WHERE w.project_id = :projectId AND w.kind <> 'release'`,
      { projectId },
    )
    .map((row) => ({ issueId: row.issueId, resolvedAt: row.resolvedAt, resolution: toResolution(row) }));
}

/** Within a write transaction. */
export function saveResolution(
  db: SqliteConnection,
  { issueId, projectId }: { issueId: number; projectId: number },
  resolution: Resolution | null,
): void {
  if (resolution === null) {
    db.run("DELETE FROM issue_resolutions WHERE issue_id = :issueId", { issueId });
    return;
  }
  const isCommit = resolution.kind === "commit";
  db.run(
    `INSERT OR REPLACE INTO issue_resolutions (issue_id, project_id, kind, version, commit_id, repository)
     VALUES (:issueId, :projectId, :kind, :version, :commitId, :repository)`,
    {
      issueId,
      projectId,
      kind: resolution.kind,
      version: toComparedVersion(resolution),
      commitId: isCommit ? resolution.commitId : null,
      repository: isCommit ? resolution.repository : null,
    },
  );
}

/** Copies the resolution of one issue to another, within a write transaction. */
export function copyResolution(db: SqliteConnection, fromIssueId: number, toIssueId: number): void {
  db.run(
    `INSERT OR REPLACE INTO issue_resolutions (issue_id, project_id, kind, version, commit_id, repository)
     SELECT :toIssueId, project_id, kind, version, commit_id, repository FROM issue_resolutions
     WHERE issue_id = :fromIssueId`,
    { toIssueId, fromIssueId },
  );
}

/** Saves the releases that issues waited for, within a write transaction. */
export function saveSettled(db: SqliteConnection, settled: readonly WaitingIssue[]): void {
  for (const { issueId, resolution } of settled) {
    db.run(
      `UPDATE issue_resolutions SET kind = 'release', version = :version, commit_id = NULL, repository = NULL
       WHERE issue_id = :issueId`,
      { issueId, version: toComparedVersion(resolution) },
    );
  }
}

/**
 * Gives the release to the issues that waited for it, within a write transaction. Call it when a project gets a release, or a release its
 * commits.
 */
export function settleWaiting(
  db: SqliteConnection,
  { projectId, release }: { projectId: number; release: OrderedRelease },
  isConcerned: (resolution: Resolution) => boolean = () => true,
): void {
  const waiting = loadWaitingIssues(db, projectId).filter(({ resolution }) => isConcerned(resolution));
  if (waiting.length === 0) return;
  const releases = loadOrderedReleases(
    db,
    waiting.flatMap(({ resolution }) => toComparedVersion(resolution) ?? []),
  );
  const commits = loadCommitsOfReleases(db, [release.id], waiting);
  saveSettled(
    db,
    settleOnRelease(waiting, release, {
      findRelease: (version) => releases.get(version) ?? null,
      hasCommit: (commit) => commits.has(toCommitKey(release.id, commit)),
    }),
  );
}

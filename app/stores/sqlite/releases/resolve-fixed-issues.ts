import { findFixedShortIds } from "../../../domain/releases/fixed-issues.ts";
import { isWholeCommitHash } from "../../../domain/repository.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import type { IssueStatusRequest } from "../../state/issue-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { changeIssueStatus } from "../issues/issue-status.ts";
import { parseShortId } from "../issues/short-id.ts";
import { findMergeTargetByShortId } from "../reprocessing/merged-issues.ts";
import { listProjectIds } from "./release-commits.ts";
import { findScopedRelease } from "./release-order.ts";

/** The most issues that the commits of one release resolve at once. This takes some tenths of a second, and blocks other writers. */
const MAX_FIXED = 1_000;

interface NamedCommit {
  id: string;
  repository: string;
  message: string;
}

/** Resolves the issues that commits of the release fix, within a write transaction. Returns how many. */
export function resolveFixedIssues(
  db: SqliteConnection,
  scope: Scope,
  version: string,
  by: { userId: number | null; at: number },
): number {
  const release = findScopedRelease(db, scope, version);
  if (release === null) return 0;
  const projectIds = new Set(listProjectIds(db, release).filter((id) => includesProject(scope, id)));
  let fixedCount = 0;
  let resolvedCount = 0;
  for (const commit of listWithMessage(db, release.id)) {
    for (const shortId of findFixedShortIds(commit.message)) {
      const issueId = findIssueId(db, shortId, projectIds);
      if (issueId === null || !noteFix(db, issueId, commit)) continue;
      const change: IssueStatusRequest = {
        issueIds: [issueId],
        status: "resolved",
        resolution: { kind: "release", version },
        commit: { id: commit.id, repository: commit.repository },
        ...by,
      };
      resolvedCount += changeIssueStatus(db, scope, change, by.at).length;
      fixedCount += 1;
      if (fixedCount === MAX_FIXED) return resolvedCount;
    }
  }
  return resolvedCount;
}

/** Commits whose message may name an issue, oldest first: the first commit that fixes an issue is noted. */
function listWithMessage(db: SqliteConnection, releaseId: number): NamedCommit[] {
  return db.all<NamedCommit>(
    `SELECT commit_id AS id, repository, message FROM release_commits
     WHERE release_id = :releaseId AND message LIKE '%-%' ORDER BY position DESC`,
    { releaseId },
  );
}

function findIssueId(db: SqliteConnection, text: string, projectIds: ReadonlySet<number>): number | null {
  const shortId = parseShortId(text);
  const find = (issueId: number | null) =>
    db.get<{ id: number; projectId: number }>(
      `SELECT id, project_id AS projectId FROM issues WHERE ${issueId === null ? "short_id = :shortId" : "id = :issueId"}`,
      issueId === null ? { shortId } : { issueId },
    );
  const targetId = findMergeTargetByShortId(db, shortId);
  const issue = find(targetId);
  return issue !== undefined && projectIds.has(issue.projectId) ? issue.id : null;
}

/** Notes that a commit fixes an issue. False: it was noted before. */
function noteFix(db: SqliteConnection, issueId: number, { id, repository }: NamedCommit): boolean {
  const commitKey = isWholeCommitHash(id) ? id : `${repository} ${id}`;
  return (
    db.run("INSERT OR IGNORE INTO issue_fixes (issue_id, commit_key) VALUES (:issueId, :commitKey)", {
      issueId,
      commitKey,
    }).changedRows > 0
  );
}

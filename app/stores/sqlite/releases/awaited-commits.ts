import type { WaitingIssue } from "../../../domain/issues/resolutions.ts";
import { asFields } from "../../sql/columns.ts";
import type { SqliteConnection } from "../connection.ts";

/** Which commits that issues wait for are in the releases, by `toCommitKey`. */
export function loadCommitsOfReleases(
  db: SqliteConnection,
  releaseIds: readonly number[],
  waiting: readonly WaitingIssue[],
): Set<string> {
  const commitIds = waiting.flatMap(({ resolution }) => (resolution.kind === "commit" ? [resolution.commitId] : []));
  if (commitIds.length === 0) return new Set();
  const rows = db.all<{ releaseId: number; commitId: string; repository: string }>(
    `SELECT DISTINCT ${asFields("c.release_id, c.commit_id, c.repository")}
     FROM json_each(:commitIds) AS asked CROSS JOIN release_commits AS c ON c.commit_id = asked.value
     WHERE c.release_id IN (SELECT value FROM json_each(:releaseIds))`,
    { commitIds: JSON.stringify(commitIds), releaseIds: JSON.stringify(releaseIds) },
  );
  return new Set(rows.map(({ releaseId, ...commit }) => toCommitKey(releaseId, commit)));
}

export function toCommitKey(releaseId: number, commit: { commitId: string; repository: string }): string {
  return `${releaseId} ${commit.commitId} ${commit.repository}`;
}

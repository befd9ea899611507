import type { SqliteConnection } from "../connection.ts";
import { requestRegrouping } from "./regrouping-requests.ts";

const COLUMNS = "project_id, hash, first_seen_at, grouping, is_found_by_kin, is_regrouped, split_id";

interface MergedKeys {
  mergeId: number;
  projectId: number;
  targetId: number;
  hashes: readonly string[];
  aliases: readonly string[];
}

/** Sets the keys of a merged issue aside within a write transaction, after the issue has ended. Then later events make a new issue. */
export function setKeysAside(
  db: SqliteConnection,
  { mergeId, projectId, targetId, hashes, aliases }: MergedKeys,
): void {
  const own = { projectId, targetId, hashes: JSON.stringify(hashes) };
  const where = "project_id = :projectId AND issue_id = :targetId AND hash IN (SELECT value FROM json_each(:hashes))";
  db.run(
    `INSERT INTO once_merged_hashes (merge_id, ${COLUMNS}) SELECT :mergeId, ${COLUMNS} FROM issue_hashes WHERE ${where}`,
    { ...own, mergeId },
  );
  db.run(`DELETE FROM issue_hashes WHERE ${where}`, own);
  db.run(
    `DELETE FROM issue_kin_keys
     WHERE project_id = :projectId AND issue_id = :targetId AND key IN (SELECT value FROM json_each(:aliases))`,
    { projectId, targetId, aliases: JSON.stringify(aliases) },
  );
}

/** Gives the keys back to the issue, within a write transaction, and requests that later events are moved. */
export function takeKeysBack(
  db: SqliteConnection,
  {
    mergeId,
    projectId,
    issueId,
    aliases,
    at,
  }: Pick<MergedKeys, "mergeId" | "projectId" | "aliases"> & { issueId: number; at: number },
): void {
  const since = db.all<{ issueId: number }>(
    `SELECT DISTINCT h.issue_id AS issueId FROM once_merged_hashes AS o
     JOIN issue_hashes AS h ON h.project_id = o.project_id AND h.hash = o.hash WHERE o.merge_id = :mergeId`,
    { mergeId },
  );
  db.run(
    `INSERT INTO issue_hashes (issue_id, ${COLUMNS})
     SELECT :issueId, ${COLUMNS} FROM once_merged_hashes WHERE merge_id = :mergeId
     ON CONFLICT (project_id, hash) DO UPDATE SET issue_id = excluded.issue_id`,
    { issueId, mergeId },
  );
  db.run(
    `INSERT OR IGNORE INTO issue_kin_keys (project_id, key, issue_id)
     SELECT :projectId, value, :issueId FROM json_each(:aliases)`,
    { projectId, issueId, aliases: JSON.stringify(aliases) },
  );
  db.run("DELETE FROM once_merged_hashes WHERE merge_id = :mergeId", { mergeId });
  for (const each of since) {
    const flows = [{ fromIssueId: each.issueId, toIssueId: issueId }];
    requestRegrouping(db, { issueId: each.issueId, projectId, at, flows });
  }
}

/** Keys of events that merges without a rule brought into the issue. */
export function listKeptHashes(db: SqliteConnection, issueId: number): string[] {
  return db
    .all<{ hash: string }>(
      `SELECT o.hash FROM issue_merges AS m JOIN once_merged_hashes AS o ON o.merge_id = m.id
       WHERE m.target_issue_id = :issueId AND m.undone_at IS NULL`,
      { issueId },
    )
    .map(({ hash }) => hash);
}

import type { SqliteConnection } from "../connection.ts";

export function findIssueByHash(db: SqliteConnection, projectId: number, hash: string): number | null {
  const row = db.get<{ issue_id: number }>(
    "SELECT issue_id FROM issue_hashes WHERE project_id = :projectId AND hash = :hash",
    { projectId, hash },
  );
  return row?.issue_id ?? null;
}

export function findIssueByKinKey(db: SqliteConnection, projectId: number, key: string): number | null {
  const row = db.get<{ issue_id: number }>(
    "SELECT issue_id FROM issue_kin_keys WHERE project_id = :projectId AND key = :key",
    { projectId, key },
  );
  return row?.issue_id ?? null;
}

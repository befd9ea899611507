import type { SqliteConnection } from "../connection.ts";

const KEY_COLUMN = { issue_hashes: "hash", issue_kin_keys: "key" } as const;

/** The issues of known keys, by key. */
export function findIssueIds(
  db: SqliteConnection,
  table: keyof typeof KEY_COLUMN,
  projectId: number,
  keys: readonly string[],
): Map<string, number> {
  if (keys.length === 0) return new Map();
  const rows = db.all<{ key: string; issueId: number }>(
    `SELECT asked.value AS key, k.issue_id AS issueId
     FROM json_each(:keys) AS asked
     CROSS JOIN ${table} AS k ON k.project_id = :projectId AND k.${KEY_COLUMN[table]} = asked.value`,
    { projectId, keys: JSON.stringify(keys) },
  );
  return new Map(rows.map((row) => [row.key, row.issueId]));
}

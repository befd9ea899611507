import type { Scope } from "../../../domain/scope.ts";
import type { CountedIssueField, CountedIssueValues } from "../../state/issue-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { SUBSTATUS, toSubstatusParams } from "./issue-dialect.ts";

/** The latest issues are counted, at most this many. SQLite takes some milliseconds for fields in an index, and twenty for others. */
const MAX_ISSUES = 10_000;

const COLUMNS: Readonly<Record<CountedIssueField, string>> = {
  status: "i.status",
  substatus: `CASE WHEN i.status = 'unresolved' THEN ${SUBSTATUS} END`,
  isUnhandled: "i.is_unhandled",
  level: "i.level",
  platform: "i.platform",
  type: "i.type",
  culprit: "i.culprit",
  projectId: "i.project_id",
  firstRelease: "(SELECT version FROM releases WHERE id = i.first_release_id)",
};

export function countIssueValues(
  db: SqliteConnection,
  scope: Scope,
  { field, limit }: { field: CountedIssueField; limit: number },
  now: number,
): CountedIssueValues {
  if (scope.projectIds.length === 0) return { values: [], isComplete: true };
  const column = COLUMNS[field];
  const rows = db.all<{ value: string | null; count: number }>(
    `WITH seen AS (
       SELECT CAST(${column} AS TEXT) AS value FROM issues AS i
       WHERE i.project_id IN (SELECT value FROM json_each(:projectIds)) ORDER BY i.last_seen_at DESC LIMIT ${MAX_ISSUES + 1}
     )
     SELECT value, count(*) AS count FROM seen GROUP BY value ORDER BY count DESC, value`,
    {
      projectIds: JSON.stringify(scope.projectIds),
      ...(field === "substatus" && toSubstatusParams(now)),
    },
  );
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  return {
    values: rows
      .flatMap(({ value, count }) => (value === null || value === "" ? [] : { value, count }))
      .slice(0, limit),
    isComplete: total <= MAX_ISSUES,
  };
}

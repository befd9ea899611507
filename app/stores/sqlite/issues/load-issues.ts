import type { KnownIssue } from "../../../domain/issues/known-issue.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import type { SqliteConnection } from "../connection.ts";

type KnownIssueRow = RowOf<KnownIssue, { isUnhandled: number }>;

const COLUMNS = asFields(
  `i.id, i.project_id, i.short_id, i.status, i.substatus, i.status_changed_at, i.first_seen_at, i.last_seen_at, i.level,
   i.is_unhandled, i.platform, i.logger, i.type, i.title, i.culprit, i.value, i.first_release_id, i.last_release_id`,
);

/** The existing issues, by id. */
export function loadIssues(db: SqliteConnection, issueIds: readonly number[]): Map<number, KnownIssue> {
  if (issueIds.length === 0) return new Map();
  const rows = db.all<KnownIssueRow>(
    `SELECT ${COLUMNS}
     FROM json_each(:issueIds) AS asked CROSS JOIN issues AS i ON i.id = asked.value`,
    { issueIds: JSON.stringify(issueIds) },
  );
  return new Map(rows.map((row) => [row.id, toKnownIssue(row)]));
}

export function loadIssue(db: SqliteConnection, issueId: number): KnownIssue | null {
  return loadIssues(db, [issueId]).get(issueId) ?? null;
}

/** Changes the row in place, because copying takes as long as reading, and a batch reads every issue that it changes. */
function toKnownIssue(row: KnownIssueRow): KnownIssue {
  return Object.assign<Omit<KnownIssue, "isUnhandled">, Pick<KnownIssue, "isUnhandled">>(row, {
    isUnhandled: row.isUnhandled === 1,
  });
}

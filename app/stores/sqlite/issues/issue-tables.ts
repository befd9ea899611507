/** Small tables with rows of an issue. The rows are deleted with the issue, in one transaction. */
export const SMALL_ISSUE_TABLES = [
  "issue_hashes",
  "issue_kin_keys",
  "issue_resolutions",
  "issue_archives",
  "issue_assignees",
  "issue_people",
  "issue_suggestions",
  "issue_suggestion_looks",
  "external_issues",
  "issue_shares",
  "issue_fixes",
  "late_issues",
  "regrouping_requests",
  "rule_move_issues",
  "alert_periods",
  "outbox",
] as const;

/** Tables that may have any number of rows of an issue. A job deletes them in steps. */
export const LARGE_ISSUE_TABLES = [
  "issue_hours",
  "issue_days",
  "issue_environments",
  "issue_users",
  "issue_releases",
  "issue_volume",
  "issue_left_out",
  "issue_activity",
  "wanted_source_maps",
] as const;

/** Tables whose rows a merge moves to the other issue, or keeps for its undo; see `mergeIssue`. */
const OUTLIVING_A_MERGE: ReadonlySet<string> = new Set<IssueTable>([
  "issue_hashes",
  "issue_kin_keys",
  "issue_activity",
  "wanted_source_maps",
  "rule_move_issues",
  "outbox",
]);

type IssueTable = (typeof SMALL_ISSUE_TABLES | typeof LARGE_ISSUE_TABLES)[number];

/** Tables whose rows of an issue are deleted when it is merged: their counts have been added to the other issue. */
export const TABLES_ENDED_BY_MERGE: readonly IssueTable[] = [...LARGE_ISSUE_TABLES, ...SMALL_ISSUE_TABLES].filter(
  (table) => !OUTLIVING_A_MERGE.has(table),
);

import { includesProject, type Scope } from "../../../domain/scope.ts";
import type { DeletionRequest } from "../../state/deletion-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { SMALL_ISSUE_TABLES } from "../issues/issue-tables.ts";
import { insertDeletion, purgeIssues } from "./delete-issues.ts";

/** Deletes a project with its keys and settings, within a write transaction. Its data is deleted in the background: see `purgeProject`. */
export function deleteProject(
  db: SqliteConnection,
  scope: Scope,
  { projectId, ...request }: DeletionRequest & { projectId: number },
): boolean {
  const project = db.get<{ slug: string }>("SELECT slug FROM projects WHERE id = :projectId", { projectId });
  if (project === undefined || !includesProject(scope, projectId)) return false;
  insertDeletion(db, {
    ...request,
    kind: "project",
    label: project.slug,
    projectId,
    target: { kind: "project", projectId },
  });
  db.note({ action: "project.delete", target: { kind: "project", id: projectId, name: project.slug } });
  // Rules of only this project are deleted, too; others continue without it.
  db.run("DELETE FROM alert_rules WHERE project_ids = json_array(:projectId) AND team_id IS NULL", { projectId });
  db.run(
    `UPDATE alert_rules SET project_ids = (SELECT json_group_array(value) FROM json_each(project_ids) WHERE value <> :projectId)
     WHERE project_ids IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(project_ids) WHERE value = :projectId)`,
    { projectId },
  );
  db.run("DELETE FROM projects WHERE id = :projectId", { projectId });
  db.run("UPDATE configuration SET version = version + 1 WHERE id = 1");
  return true;
}

/** Issues of one step. */
const ISSUES_AT_ONCE = 50;

export const TABLES_BY_PROJECT = [
  "wanted_source_maps",
  "deleted_hashes",
  "event_moves",
  "outbox",
  "deliveries",
  "delivery_channels",
  "channel_messages",
  "outcomes",
  "filtered_examples",
  "reported_words",
  "reportable_refusals",
  "artifact_bundle_releases",
  "artifact_bundle_projects",
  "release_projects",
  "release_days",
  "project_environments",
  "environment_overflows",
  "findings",
  "alert_firings",
  "alert_outcomes",
  "alert_periods",
  "monitors",
  "feedback",
  "uptime_monitors",
  "status_pages",
  "metric_monitors",
  "monitor_overflows",
  "grouping_rules",
  "issue_merges",
  "issue_splits",
  "rule_moves",
  "rule_uses",
  "once_merged_hashes",
  "regrouping_requests",
  "quotas",
  "project_volume",
];

/**
 * Deletes some rows of the project, or all of one table, within a write transaction. Returns how many. Its issues come first, with all
 * their rows.
 */
export function purgeProject(db: SqliteConnection, projectId: number, limit: number): number {
  const issueIds = db
    .all<{ id: number }>("SELECT id FROM issues WHERE project_id = :projectId LIMIT :limit", {
      projectId,
      limit: ISSUES_AT_ONCE,
    })
    .map(({ id }) => id);
  if (issueIds.length > 0) {
    const purged = purgeIssues(db, issueIds, limit);
    if (purged > 0) return purged;
    for (const issueId of issueIds) {
      for (const table of SMALL_ISSUE_TABLES) db.run(`DELETE FROM ${table} WHERE issue_id = :issueId`, { issueId });
      db.run("DELETE FROM merged_issues WHERE target_issue_id = :issueId", { issueId });
      db.run("DELETE FROM issue_search WHERE rowid = :issueId", { issueId });
      db.run("DELETE FROM issues WHERE id = :issueId", { issueId });
    }
    return issueIds.length;
  }
  for (const table of TABLES_BY_PROJECT) {
    const { changedRows } = db.run(`DELETE FROM ${table} WHERE project_id = :projectId`, { projectId });
    if (changedRows > 0) return changedRows;
  }
  return 0;
}

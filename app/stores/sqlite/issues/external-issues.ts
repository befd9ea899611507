import { MAX_EXTERNAL_ISSUES, type Tracker } from "../../../domain/issues/tracker.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import type { ExternalIssue, ExternalIssueResult, ExternalIssueStore } from "../../state/external-issue-store.ts";
import { nameProjects } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";
import { findMergeTarget } from "../reprocessing/merged-issues.ts";
import { findProject } from "./issue-people.ts";
import { addActivity } from "./issue-status.ts";

export function createExternalIssueStore(db: SqliteConnection): ExternalIssueStore {
  return {
    listExternalIssues: async (scope, issueId) => list(db, scope, issueId),
    addExternalIssue: (scope, link) => db.write(() => add(db, scope, link)),
    removeExternalIssue: (scope, of) => db.write(() => remove(db, scope, of)),
    getTracker: async (scope, projectId) => (includesProject(scope, projectId) ? getTracker(db, projectId) : null),
    setTracker: (scope, projectId, tracker) =>
      db.write(() => {
        if (!includesProject(scope, projectId)) return;
        const before = getTracker(db, projectId);
        const [project] = nameProjects(db, [projectId]);
        db.note({
          action: "project.edit",
          target: { kind: "project", id: projectId, name: project ?? `project ${projectId}` },
          before: { tracker: before?.address ?? null },
          after: { tracker: tracker?.address ?? null },
        });
        db.run("DELETE FROM project_trackers WHERE project_id = :projectId", { projectId });
        if (tracker === null) return;
        db.run("INSERT INTO project_trackers (project_id, kind, address) VALUES (:projectId, :kind, :address)", {
          projectId,
          ...tracker,
        });
      }),
  };
}

function getTracker(db: SqliteConnection, projectId: number): Tracker | null {
  const sql = "SELECT kind, address FROM project_trackers WHERE project_id = :projectId";
  return db.get<Tracker>(sql, { projectId }) ?? null;
}

function list(db: SqliteConnection, scope: Scope, askedId: number): ExternalIssue[] {
  const issueId = findMergeTarget(db, askedId) ?? askedId;
  if (findProject(db, scope, issueId) === null) return [];
  return db.all<ExternalIssue>("SELECT id, url, name, at FROM external_issues WHERE issue_id = :issueId ORDER BY id", {
    issueId,
  });
}

function add(
  db: SqliteConnection,
  scope: Scope,
  link: Parameters<ExternalIssueStore["addExternalIssue"]>[1],
): ExternalIssueResult {
  const issueId = findMergeTarget(db, link.issueId) ?? link.issueId;
  if (findProject(db, scope, issueId) === null) return { ok: false, reason: "not-found" };
  const known = list(db, scope, issueId);
  if (known.some(({ url }) => url === link.url)) return { ok: false, reason: "known" };
  if (known.length >= MAX_EXTERNAL_ISSUES) return { ok: false, reason: "too-many" };
  const { url, name, userId } = link;
  const at = Math.floor(link.at);
  const { insertedId } = db.run(
    "INSERT INTO external_issues (issue_id, url, name, at) VALUES (:issueId, :url, :name, :at)",
    { issueId, url, name, at },
  );
  addActivity(db, { issueId, at, kind: "linked", userId, data: { url, name } });
  return { ok: true, link: { id: insertedId, url, name, at } };
}

function remove(
  db: SqliteConnection,
  scope: Scope,
  { linkId, userId, at, ...of }: Parameters<ExternalIssueStore["removeExternalIssue"]>[1],
): ExternalIssueResult {
  const issueId = findMergeTarget(db, of.issueId) ?? of.issueId;
  const link = list(db, scope, issueId).find(({ id }) => id === linkId);
  if (link === undefined) return { ok: false, reason: "not-found" };
  db.run("DELETE FROM external_issues WHERE id = :linkId", { linkId });
  addActivity(db, { issueId, at, kind: "unlinked", userId, data: { url: link.url, name: link.name } });
  return { ok: true, link };
}

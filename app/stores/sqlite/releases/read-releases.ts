import type { Release, ReleaseProject } from "../../../domain/release.ts";
import type { Scope } from "../../../domain/scope.ts";
import type { SqliteConnection } from "../connection.ts";
import { type DeployRow, toDeploy } from "./deploys.ts";
import { readHeads } from "./release-heads.ts";

interface ReleaseRow {
  id: number;
  version: string;
  status: Release["status"];
  ref: string | null;
  url: string | null;
  created_at: number;
  started_at: number | null;
  released_at: number | null;
  commit_count: number;
  last_commit_id: string | null;
  authors: string;
  deploy_count: number;
}

/** In the order of the ids, with those of their projects that are in the scope, the lowest id first. */
export function readReleases(db: SqliteConnection, scope: Scope, releaseIds: number[]): Release[] {
  const ids = JSON.stringify(releaseIds);
  const rows = db.all<ReleaseRow>(
    `SELECT r.id, r.version, r.status, r.ref, r.url, r.created_at, r.started_at, r.released_at, r.commit_count,
       r.last_commit_id, r.authors, (SELECT count(*) FROM deploys WHERE release_id = r.id) AS deploy_count
     FROM json_each(:ids) AS asked CROSS JOIN releases AS r ON r.id = asked.value
     ORDER BY asked.key`,
    { ids },
  );
  const projects = readProjects(db, scope, ids);
  const lastDeploys = readLastDeploys(db, ids);
  const heads = readHeads(db, ids);
  return rows.map((row) => {
    const lastDeploy = lastDeploys.get(row.id);
    return {
      id: row.id,
      version: row.version,
      status: row.status,
      ref: row.ref,
      url: row.url,
      createdAt: row.created_at,
      startedAt: row.started_at,
      releasedAt: row.released_at,
      projects: projects.get(row.id) ?? [],
      commitCount: row.commit_count,
      deployCount: row.deploy_count,
      lastCommitId: row.last_commit_id,
      heads: heads.get(row.id) ?? [],
      lastDeploy: lastDeploy ? toDeploy(lastDeploy) : null,
      authors: JSON.parse(row.authors),
    };
  });
}

function readProjects(db: SqliteConnection, scope: Scope, ids: string): Map<number, ReleaseProject[]> {
  const rows = db.all<{
    release_id: number;
    project_id: number;
    first_event_at: number | null;
    last_event_at: number | null;
    event_count: number;
    new_issue_count: number;
  }>(
    `SELECT p.release_id, p.project_id, p.first_event_at, p.last_event_at, p.event_count,
       (SELECT count(*) FROM issues INDEXED BY issues_by_first_release
        WHERE first_release_id = p.release_id AND project_id = p.project_id) AS new_issue_count
     FROM json_each(:ids) AS asked CROSS JOIN release_projects AS p ON p.release_id = asked.value
     WHERE p.project_id IN (SELECT value FROM json_each(:projectIds))
     ORDER BY p.project_id`,
    { ids, projectIds: JSON.stringify(scope.projectIds) },
  );
  const projects = new Map<number, ReleaseProject[]>();
  for (const row of rows) {
    const listed = projects.get(row.release_id) ?? [];
    listed.push({
      projectId: row.project_id,
      firstEventAt: row.first_event_at,
      lastEventAt: row.last_event_at,
      eventCount: row.event_count,
      newIssueCount: row.new_issue_count,
    });
    projects.set(row.release_id, listed);
  }
  return projects;
}

function readLastDeploys(db: SqliteConnection, ids: string): Map<number, DeployRow> {
  const rows = db.all<DeployRow>(
    `SELECT d.id, d.release_id, d.project_ids, d.environment, d.name, d.url, d.started_at, d.finished_at
     FROM json_each(:ids) AS asked CROSS JOIN deploys AS d ON d.id = (
       SELECT id FROM deploys WHERE release_id = asked.value ORDER BY finished_at DESC, id DESC LIMIT 1)`,
    { ids },
  );
  return new Map(rows.map((row) => [row.release_id, row]));
}

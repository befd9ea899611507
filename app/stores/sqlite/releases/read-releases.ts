import type { Deploy, Release, ReleaseProject } from "../../../domain/release.ts";
import type { Scope } from "../../../domain/scope.ts";
import { asFields, groupRows, type RowOf } from "../../sql/columns.ts";
import type { SqliteConnection } from "../connection.ts";
import { DEPLOY_COLUMNS, toDeploy } from "./deploys.ts";
import { readHeads } from "./release-heads.ts";

type ReleaseRow = RowOf<Omit<Release, "projects" | "heads" | "lastDeploy">, { authors: string }>;

const COLUMNS = asFields(
  `r.id, r.version, r.status, r.ref, r.url, r.created_at, r.started_at, r.released_at, r.commit_count, r.last_commit_id,
   r.authors`,
);

/** The releases in the order of the ids. Each has its projects in the scope, lowest id first. */
export function readReleases(db: SqliteConnection, scope: Scope, releaseIds: number[]): Release[] {
  const ids = JSON.stringify(releaseIds);
  const rows = db.all<ReleaseRow>(
    `SELECT ${COLUMNS}, (SELECT count(*) FROM deploys WHERE release_id = r.id) AS deployCount
     FROM json_each(:ids) AS asked CROSS JOIN releases AS r ON r.id = asked.value
     ORDER BY asked.key`,
    { ids },
  );
  const projects = readProjects(db, scope, ids);
  const lastDeploys = readLastDeploys(db, ids);
  const heads = readHeads(db, ids);
  return rows.map((row) => ({
    ...row,
    projects: projects.get(row.id) ?? [],
    heads: heads.get(row.id) ?? [],
    lastDeploy: lastDeploys.get(row.id) ?? null,
    authors: JSON.parse(row.authors),
  }));
}

function readProjects(db: SqliteConnection, scope: Scope, ids: string): Map<number, ReleaseProject[]> {
  const rows = db.all<ReleaseProject & { releaseId: number }>(
    `SELECT ${asFields("p.release_id, p.project_id, p.first_event_at, p.last_event_at, p.event_count")},
       (SELECT count(*) FROM issues INDEXED BY issues_by_first_release
        WHERE first_release_id = p.release_id AND project_id = p.project_id) AS newIssueCount
     FROM json_each(:ids) AS asked CROSS JOIN release_projects AS p ON p.release_id = asked.value
     WHERE p.project_id IN (SELECT value FROM json_each(:projectIds))
     ORDER BY p.project_id`,
    { ids, projectIds: JSON.stringify(scope.projectIds) },
  );
  return groupRows(rows, ({ releaseId, ...project }) => [releaseId, project]);
}

function readLastDeploys(db: SqliteConnection, ids: string): Map<number, Deploy> {
  const rows = db.all<Parameters<typeof toDeploy>[0] & { releaseId: number }>(
    `SELECT ${DEPLOY_COLUMNS}, d.release_id AS releaseId
     FROM json_each(:ids) AS asked CROSS JOIN deploys AS d ON d.id = (
       SELECT id FROM deploys WHERE release_id = asked.value ORDER BY finished_at DESC, id DESC LIMIT 1)`,
    { ids },
  );
  return new Map(rows.map(({ releaseId, ...deploy }) => [releaseId, toDeploy(deploy)]));
}

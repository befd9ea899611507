import type { Deploy } from "../../../domain/release.ts";
import type { SqliteConnection } from "../connection.ts";
import { findOrderedRelease } from "./release-order.ts";

const MAX_LISTED = 100;
const MAX_LISTED_BETWEEN = 200;

export interface DeployRow {
  id: number;
  release_id: number;
  project_ids: string | null;
  environment: string;
  name: string | null;
  url: string | null;
  started_at: number | null;
  finished_at: number;
}

export function toDeploy(row: DeployRow): Deploy {
  return {
    id: row.id,
    projectIds: row.project_ids === null ? null : JSON.parse(row.project_ids),
    environment: row.environment,
    name: row.name,
    url: row.url,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}

/** Within a write transaction. */
export function addDeploy(db: SqliteConnection, version: string, deploy: Omit<Deploy, "id">): Deploy {
  const release = findOrderedRelease(db, version);
  if (release === null) throw new RangeError("there is no such release to deploy");
  const startedAt = deploy.startedAt === null ? null : Math.floor(deploy.startedAt);
  const saved = { ...deploy, startedAt, finishedAt: Math.floor(deploy.finishedAt) };
  const { insertedId: id } = db.run(
    `INSERT INTO deploys (release_id, project_ids, environment, name, url, started_at, finished_at)
     VALUES (:releaseId, :projectIds, :environment, :name, :url, :startedAt, :finishedAt)`,
    { releaseId: release.id, ...saved, projectIds: saved.projectIds && JSON.stringify(saved.projectIds) },
  );
  return { ...saved, id };
}

export function listDeploys(db: SqliteConnection, version: string): Deploy[] {
  const release = findOrderedRelease(db, version);
  if (release === null) return [];
  return db
    .all<DeployRow>(
      `SELECT id, release_id, project_ids, environment, name, url, started_at, finished_at FROM deploys
       WHERE release_id = :releaseId
       ORDER BY finished_at DESC, id DESC LIMIT ${MAX_LISTED}`,
      { releaseId: release.id },
    )
    .map(toDeploy);
}

/** The latest two hundred of the range, oldest first. */
export function listDeploysBetween(
  db: SqliteConnection,
  projectIds: number[] | null,
  from: number,
  to: number,
): Array<Deploy & { version: string }> {
  const rows = db.all<DeployRow & { version: string }>(
    `SELECT d.id, d.release_id, d.project_ids, d.environment, d.name, d.url, d.started_at, d.finished_at, r.version
     FROM deploys AS d CROSS JOIN releases AS r ON r.id = d.release_id
     WHERE d.finished_at >= :from AND d.finished_at < :to
     ${
       projectIds === null
         ? ""
         : `AND EXISTS (SELECT 1 FROM json_each(:projectIds) AS asked
                       CROSS JOIN release_projects AS p ON p.project_id = asked.value AND p.release_id = r.id
                       WHERE d.project_ids IS NULL OR asked.value IN (SELECT value FROM json_each(d.project_ids)))`
     }
     ORDER BY d.finished_at DESC, d.id DESC LIMIT ${MAX_LISTED_BETWEEN}`,
    { from, to, ...(projectIds === null ? {} : { projectIds: JSON.stringify(projectIds) }) },
  );
  return rows.reverse().map((row) => ({ ...toDeploy(row), version: row.version }));
}

import type { Deploy } from "../../../domain/release.ts";
import type { Scope } from "../../../domain/scope.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import type { SqliteConnection } from "../connection.ts";
import { findScopedRelease } from "./release-order.ts";

const MAX_LISTED = 100;
const MAX_LISTED_BETWEEN = 200;

/** A condition on `deploys AS d`. Takes `:projectIds`. A deploy without projects belongs to all projects of its release. */
const DEPLOY_IN_SCOPE = `(d.project_ids IS NULL OR EXISTS (
  SELECT 1 FROM json_each(d.project_ids) WHERE value IN (SELECT value FROM json_each(:projectIds))))`;

type DeployRow = RowOf<Deploy, { projectIds: string | null }>;

/** Columns for `deploys AS d`. */
export const DEPLOY_COLUMNS = asFields(
  "d.id, d.project_ids, d.environment, d.name, d.url, d.started_at, d.finished_at",
);

export function toDeploy<Row extends DeployRow>(row: Row): Omit<Row, "projectIds"> & Pick<Deploy, "projectIds"> {
  return { ...row, projectIds: row.projectIds && JSON.parse(row.projectIds) };
}

/** Within a write transaction. */
export function addDeploy(db: SqliteConnection, scope: Scope, version: string, deploy: Omit<Deploy, "id">): Deploy {
  const release = findScopedRelease(db, scope, version);
  if (release === null) throw new RangeError("there is no such release to deploy");
  const startedAt = deploy.startedAt === null ? null : Math.floor(deploy.startedAt);
  const saved = { ...deploy, startedAt, finishedAt: Math.floor(deploy.finishedAt) };
  const { insertedId: id } = db.run(
    `INSERT INTO deploys (release_id, project_ids, environment, name, url, started_at, finished_at)
     VALUES (:releaseId, :projectIds, :environment, :name, :url, :startedAt, :finishedAt)`,
    { releaseId: release.id, ...saved, projectIds: saved.projectIds && JSON.stringify(saved.projectIds) },
  );
  db.note({
    action: "deploy.create",
    target: { kind: "release", id: release.id, name: release.version },
    after: { environment: saved.environment, name: saved.name },
  });
  return { ...saved, id };
}

export function listDeploys(db: SqliteConnection, scope: Scope, version: string): Deploy[] {
  const release = findScopedRelease(db, scope, version);
  if (release === null) return [];
  return db
    .all<DeployRow>(
      `SELECT ${DEPLOY_COLUMNS}
       FROM deploys AS d
       WHERE release_id = :releaseId AND ${DEPLOY_IN_SCOPE}
       ORDER BY finished_at DESC, id DESC LIMIT ${MAX_LISTED}`,
      { releaseId: release.id, projectIds: JSON.stringify(scope.projectIds) },
    )
    .map(toDeploy);
}

/** The latest two hundred deploys of the range, oldest first. */
export function listDeploysBetween(
  db: SqliteConnection,
  scope: Scope,
  from: number,
  to: number,
): Array<Deploy & { version: string }> {
  const rows = db.all<DeployRow & { version: string }>(
    `SELECT ${DEPLOY_COLUMNS}, r.version
     FROM deploys AS d CROSS JOIN releases AS r ON r.id = d.release_id
     WHERE d.finished_at >= :from AND d.finished_at < :to
       AND EXISTS (SELECT 1 FROM json_each(:projectIds) AS asked
                   CROSS JOIN release_projects AS p ON p.project_id = asked.value AND p.release_id = r.id
                   WHERE d.project_ids IS NULL OR asked.value IN (SELECT value FROM json_each(d.project_ids)))
     ORDER BY d.finished_at DESC, d.id DESC LIMIT ${MAX_LISTED_BETWEEN}`,
    { from, to, projectIds: JSON.stringify(scope.projectIds) },
  );
  return rows.reverse().map(toDeploy);
}

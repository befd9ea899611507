import {
  type AppliedCheckIn,
  applyCheckIns,
  type KnownMonitor,
  type KnownMonitors,
  type MonitorChange,
} from "../../../domain/monitors/apply-check-ins.ts";
import type { SqliteConnection } from "../connection.ts";

/** Within a write transaction. */
export function saveCheckIns(db: SqliteConnection, checkIns: readonly AppliedCheckIn[]): void {
  if (checkIns.length === 0) return;
  const { monitors, overflows } = applyCheckIns(loadKnownMonitors(db, checkIns), checkIns);
  for (const monitor of monitors) saveMonitor(db, monitor);
  for (const overflow of overflows) {
    db.run(
      `INSERT INTO monitor_overflows (project_id, check_in_count, last_slug, last_at)
       VALUES (:projectId, :checkInCount, :lastSlug, :lastAt)
       ON CONFLICT DO UPDATE SET check_in_count = check_in_count + excluded.check_in_count,
         last_slug = excluded.last_slug, last_at = excluded.last_at`,
      { ...overflow },
    );
  }
}

function loadKnownMonitors(db: SqliteConnection, checkIns: readonly AppliedCheckIn[]): KnownMonitors {
  const slugsByProject = Map.groupBy(checkIns, ({ projectId }) => projectId);
  const monitors: KnownMonitor[] = [];
  const countByProject = new Map<number, number>();
  for (const [projectId, ofProject] of slugsByProject) {
    const rows = db.all<{ id: number; slug: string; environments: string }>(
      `SELECT m.id, m.slug,
         (SELECT json_group_array(environment) FROM monitor_environments WHERE monitor_id = m.id) AS environments
       FROM json_each(:slugs) AS asked CROSS JOIN monitors AS m ON m.project_id = :projectId AND m.slug = asked.value`,
      { projectId, slugs: JSON.stringify([...new Set(ofProject.map(({ slug }) => slug))]) },
    );
    for (const { id, slug, environments } of rows) {
      monitors.push({ monitorId: id, projectId, slug, environments: JSON.parse(environments) });
    }
    const counted = db.get<{ count: number }>("SELECT count(*) AS count FROM monitors WHERE project_id = :projectId", {
      projectId,
    });
    countByProject.set(projectId, counted?.count ?? 0);
  }
  return { monitors, countByProject };
}

function saveMonitor(db: SqliteConnection, change: MonitorChange): void {
  const { projectId, slug, createdAt } = change;
  const config = change.config && JSON.stringify(change.config);
  let { monitorId } = change;
  if (monitorId === null) {
    monitorId = db.run(
      "INSERT INTO monitors (project_id, slug, config, created_at) VALUES (:projectId, :slug, :config, :createdAt)",
      { projectId, slug, config, createdAt },
    ).insertedId;
  } else if (config !== null) {
    db.run("UPDATE monitors SET config = :config WHERE id = :monitorId", { config, monitorId });
  }
  for (const { name, firstAt, lastAt, lastStatus, lastFinishedStatus } of change.environments) {
    db.run(
      `INSERT INTO monitor_environments (
         monitor_id, environment, created_at, last_check_in_at, last_status, last_finished_status)
       VALUES (:monitorId, :name, :firstAt, :lastAt, :lastStatus, :lastFinishedStatus)
       ON CONFLICT DO UPDATE SET last_check_in_at = excluded.last_check_in_at, last_status = excluded.last_status,
         last_finished_status = coalesce(excluded.last_finished_status, last_finished_status)`,
      { monitorId, name, firstAt, lastAt, lastStatus, lastFinishedStatus },
    );
  }
}

import type { MonitorConfig } from "../../../domain/monitor.ts";
import {
  type AppliedCheckIn,
  applyCheckIns,
  type KnownMonitor,
  type KnownMonitors,
  type MonitorChange,
} from "../../../domain/monitors/apply-check-ins.ts";
import type { Downtime } from "../../../domain/monitors/watch-runs.ts";
import type { SqliteConnection } from "../connection.ts";
import { DOWNTIMES_SINCE_MS } from "./monitor-watch.ts";
import { loadDowntimes, watchEnvironment } from "./watched-environments.ts";

/** Within a write transaction. */
export function saveCheckIns(db: SqliteConnection, checkIns: readonly AppliedCheckIn[]): void {
  if (checkIns.length === 0) return;
  const { monitors, overflows } = applyCheckIns(loadKnownMonitors(db, checkIns), checkIns);
  const downtimes = loadDowntimes(db, (checkIns[0] as AppliedCheckIn).receivedAt - DOWNTIMES_SINCE_MS);
  for (const monitor of monitors) saveMonitor(db, monitor, downtimes);
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

function saveMonitor(db: SqliteConnection, change: MonitorChange, downtimes: readonly Downtime[]): void {
  const { projectId, slug, createdAt } = change;
  const config = change.config && JSON.stringify(change.config);
  let { monitorId } = change;
  let hasOtherSchedule = false;
  if (monitorId === null) {
    monitorId = db.run(
      "INSERT INTO monitors (project_id, slug, config, created_at) VALUES (:projectId, :slug, :config, :createdAt)",
      { projectId, slug, config, createdAt },
    ).insertedId;
  } else if (config !== null) {
    const before = db.get<{ config: string | null }>("SELECT config FROM monitors WHERE id = :monitorId", {
      monitorId,
    });
    hasOtherSchedule = !hasSameSchedule(before?.config ?? null, change.config);
    if (before?.config !== config)
      db.run("UPDATE monitors SET config = :config WHERE id = :monitorId", { config, monitorId });
    // The other environments of the monitor wait for the next due time of the new schedule.
    if (hasOtherSchedule) {
      db.run("UPDATE monitors SET keeps_zone = 0 WHERE id = :monitorId AND keeps_zone = 1", { monitorId });
      db.run(
        "UPDATE monitor_environments SET next_due_at = NULL, check_at = 0 WHERE monitor_id = :monitorId AND is_paused = 0",
        { monitorId },
      );
    }
  }
  for (const { name, firstAt, lastAt, lastStatus, lastFinishedStatus, checkIns } of change.environments) {
    db.run(
      `INSERT INTO monitor_environments (
         monitor_id, environment, created_at, last_check_in_at, last_status, last_finished_status)
       VALUES (:monitorId, :name, :firstAt, :lastAt, :lastStatus, :lastFinishedStatus)
       ON CONFLICT DO UPDATE SET last_check_in_at = excluded.last_check_in_at, last_status = excluded.last_status,
         last_finished_status = coalesce(excluded.last_finished_status, last_finished_status)`,
      { monitorId, name, firstAt, lastAt, lastStatus, lastFinishedStatus },
    );
    const checkInIds = checkIns.flatMap(({ checkInId }) => checkInId ?? []);
    watchEnvironment(db, { monitorId, environment: name }, { checkInIds, downtimes }, (watcher) => {
      for (const checkIn of checkIns) watcher.checkIn(checkIn, Math.floor(checkIn.receivedAt));
    });
  }
}

export function hasSameSchedule(stored: string | null, config: MonitorConfig | null): boolean {
  if (stored === null || config === null) return stored === config;
  const before: MonitorConfig = JSON.parse(stored);
  return JSON.stringify(before.schedule) === JSON.stringify(config.schedule) && before.timezone === config.timezone;
}

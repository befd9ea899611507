import type { AuditFields } from "../../../domain/audit/audit-entry.ts";
import type { Monitor, MonitorConfig } from "../../../domain/monitor.ts";
import { MAX_MONITORS_OF_PROJECT } from "../../../domain/monitors/apply-check-ins.ts";
import { toRecovery } from "../../../domain/monitors/monitor-findings.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import type { MonitorStore } from "../../state/monitor-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { addFindings } from "../findings/findings.ts";
import { getMonitor, getMonitorById } from "./monitors.ts";
import { hasSameSchedule } from "./save-check-ins.ts";
import { watchEnvironment } from "./watched-environments.ts";

/** Within a write transaction, like all functions of this file. */
export function createMonitor(
  db: SqliteConnection,
  scope: Scope,
  { projectId, slug, name, config, at }: Parameters<MonitorStore["createMonitor"]>[1],
): Awaited<ReturnType<MonitorStore["createMonitor"]>> {
  if (!includesProject(scope, projectId)) return { ok: false, reason: "not-found" };
  if (getMonitor(db, scope, { projectId, slug }) !== null) return { ok: false, reason: "taken" };
  const count = db.get<{ count: number }>("SELECT count(*) AS count FROM monitors WHERE project_id = :projectId", {
    projectId,
  });
  if ((count?.count ?? 0) >= MAX_MONITORS_OF_PROJECT) return { ok: false, reason: "full" };
  db.run(
    `INSERT INTO monitors (project_id, slug, name, config, created_at)
     VALUES (:projectId, :slug, :name, :config, :at)`,
    { projectId, slug, name, config: JSON.stringify(config), at: Math.floor(at) },
  );
  const monitor = getMonitor(db, scope, { projectId, slug }) as Monitor;
  db.note({ action: "monitor.create", target: toTarget(monitor), after: toFields(monitor) });
  return { ok: true, monitor };
}

export function changeMonitor(
  db: SqliteConnection,
  scope: Scope,
  monitorId: number,
  { at, ...change }: Parameters<MonitorStore["changeMonitor"]>[2],
): Awaited<ReturnType<MonitorStore["changeMonitor"]>> {
  const before = getMonitorById(db, scope, monitorId);
  if (before === null) return { ok: false, reason: "not-found" };
  const { slug, name, config, isMuted, keepsZone } = { ...before, ...change };
  const { projectId } = before;
  if (slug !== before.slug && getMonitor(db, scope, { projectId, slug }) !== null)
    return { ok: false, reason: "taken" };
  const isReplanned = !hasSameSchedule(before.config && JSON.stringify(before.config), config);
  db.run(
    `UPDATE monitors SET slug = :slug, name = :name, config = :config, is_muted = :isMuted, keeps_zone = :keepsZone
     WHERE id = :monitorId`,
    {
      monitorId,
      slug,
      name,
      config: config && JSON.stringify(config),
      isMuted: isMuted ? 1 : 0,
      keepsZone: keepsZone && !isReplanned ? 1 : 0,
    },
  );
  // A longer margin, or a longer run, has effect at once, too.
  for (const { name: environment } of before.environments)
    watchEnvironment(db, { monitorId, environment }, { checkInIds: [], downtimes: [] }, (watcher) => {
      if (isReplanned) watcher.plan(Math.floor(at));
    });
  const monitor = getMonitorById(db, scope, monitorId) as Monitor;
  db.note({ action: "monitor.edit", target: toTarget(monitor), before: toFields(before), after: toFields(monitor) });
  return { ok: true, monitor };
}

export function pause(
  db: SqliteConnection,
  scope: Scope,
  monitorId: number,
  { environment, isPaused, at }: Parameters<MonitorStore["pause"]>[2],
): boolean {
  const monitor = getMonitorById(db, scope, monitorId);
  const chosen = monitor?.environments.filter(({ name }) => environment === null || name === environment) ?? [];
  if (monitor === null || chosen.length === 0) return false;
  for (const { name, isPaused: wasPaused } of chosen) {
    if (wasPaused === isPaused) continue;
    const where = { monitorId, environment: name };
    db.run(
      "UPDATE monitor_environments SET is_paused = :isPaused WHERE monitor_id = :monitorId AND environment = :environment",
      { ...where, isPaused: isPaused ? 1 : 0 },
    );
    watchEnvironment(db, where, { checkInIds: [], downtimes: [] }, (watcher) => watcher.plan(Math.floor(at)));
    db.note({
      action: "monitor.edit",
      target: toTarget(monitor),
      before: { [`paused in ${name}`]: wasPaused },
      after: { [`paused in ${name}`]: isPaused },
    });
  }
  return true;
}

export function deleteMonitor(db: SqliteConnection, scope: Scope, monitorId: number, at: number): boolean {
  const monitor = getMonitorById(db, scope, monitorId);
  if (monitor === null) return false;
  const { projectId, slug } = monitor;
  addFindings(
    db,
    monitor.environments
      .filter(({ troubleAt }) => troubleAt !== null)
      .map(({ name: environment }) => ({
        ...toRecovery({ id: monitorId, projectId, slug, environment }, Math.floor(at)),
        reason: "its monitor was deleted",
      })),
  );
  db.run("DELETE FROM monitors WHERE id = :monitorId", { monitorId });
  db.note({ action: "monitor.delete", target: toTarget(monitor), before: toFields(monitor) });
  return true;
}

function toTarget({ id, slug }: Monitor) {
  return { kind: "monitor", id, name: slug };
}

function toFields({ slug, name, config, isMuted, keepsZone }: Monitor): AuditFields {
  return {
    slug,
    name,
    "is muted": isMuted,
    "keeps its time zone": keepsZone,
    ...(config === null ? {} : toConfigFields(config)),
  };
}

function toConfigFields(config: MonitorConfig): AuditFields {
  const { schedule } = config;
  return {
    schedule: schedule.type === "crontab" ? schedule.value : `every ${schedule.value} ${schedule.unit}`,
    "time zone": config.timezone,
    "margin (minutes)": config.checkinMargin,
    "longest run (minutes)": config.maxRuntime,
    "failures to an issue": config.failureIssueThreshold,
    "runs to a recovery": config.recoveryThreshold,
    owner: config.owner ?? null,
  };
}

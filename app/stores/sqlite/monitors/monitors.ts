import { MONITOR_STATES, type Monitor, type MonitorEnvironment } from "../../../domain/monitor.ts";
import type { MonitorOverflow } from "../../../domain/monitors/apply-check-ins.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import { asFields, groupRows, type RowOf } from "../../sql/columns.ts";
import { type MonitorRun, type MonitorStore, type RunSum, type RunTick, TICK_MS } from "../../state/monitor-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { takeNamedPage, toNamedPlaceSql } from "../named-pages.ts";
import { RUN_COLUMNS, toRun } from "./watched-environments.ts";

type MonitorRow = RowOf<Omit<Monitor, "environments">, { config: string | null; isMuted: number; keepsZone: number }>;
type EnvironmentRow = RowOf<MonitorEnvironment, { isPaused: number }> & { monitorId: number };

const MONITOR_COLUMNS = asFields(
  "m.id, m.project_id, m.slug, m.name, m.config, m.is_muted, m.keeps_zone, m.created_at",
);
/** SQL of the rank of a monitor's status: that of its worst environment that is not paused. */
const RANK_SQL = `coalesce((
  SELECT min(CASE e.state WHEN 'error' THEN 0 WHEN 'timeout' THEN 1 WHEN 'missed' THEN 2 WHEN 'late' THEN 3
    WHEN 'waiting' THEN 4 ELSE 5 END)
  FROM monitor_environments AS e WHERE e.monitor_id = m.id AND e.is_paused = 0),
  iif(EXISTS (SELECT 1 FROM monitor_environments AS e WHERE e.monitor_id = m.id), 6, 4))`;
const STATES_BY_RANK = [...MONITOR_STATES, "paused"] as const;

export function listMonitors(
  db: SqliteConnection,
  scope: Scope,
  query: Parameters<MonitorStore["listMonitors"]>[1],
): Awaited<ReturnType<MonitorStore["listMonitors"]>> {
  const conditions = ["m.project_id IN (SELECT value FROM json_each(:projectIds))"];
  const params: Record<string, string> = { projectIds: JSON.stringify(scope.projectIds) };
  if (query.text !== undefined && query.text !== "") {
    conditions.push("instr(m.slug, :text) > 0");
    params.text = query.text.toLowerCase();
  }
  const environments = query.environments?.length ? JSON.stringify(query.environments) : null;
  if (environments !== null) {
    conditions.push(
      `EXISTS (SELECT 1 FROM monitor_environments AS e
               WHERE e.monitor_id = m.id AND e.environment IN (SELECT value FROM json_each(:environments)))`,
    );
    params.environments = environments;
  }
  const { rows, ...cursors } = takeNamedPage(query, (place, count) => {
    const at = toNamedPlaceSql(place, { table: "monitors", alias: "m", column: "slug" });
    return db.all<MonitorRow>(
      `SELECT ${MONITOR_COLUMNS} FROM monitors AS m
       WHERE ${[at.condition, ...conditions].join(" AND ")} ORDER BY ${at.order} LIMIT :count`,
      { ...params, ...at.params, count },
    );
  });
  return { monitors: toMonitors(db, rows, environments), ...cursors, overflows: readOverflows(db, scope) };
}

export function listByState(
  db: SqliteConnection,
  scope: Scope,
  { text = "", offset, limit }: Parameters<MonitorStore["listByState"]>[1],
): Awaited<ReturnType<MonitorStore["listByState"]>> {
  const params = { projectIds: JSON.stringify(scope.projectIds), text: text.toLowerCase() };
  const where = `m.project_id IN (SELECT value FROM json_each(:projectIds))
    AND (:text = '' OR instr(m.slug, :text) > 0 OR instr(lower(ifnull(m.name, '')), :text) > 0)`;
  const counts = db.all<{ rank: number; count: number }>(
    `SELECT ${RANK_SQL} AS rank, count(*) AS count FROM monitors AS m WHERE ${where} GROUP BY rank`,
    params,
  );
  const rows = db.all<MonitorRow>(
    `SELECT ${MONITOR_COLUMNS} FROM monitors AS m WHERE ${where} ORDER BY ${RANK_SQL}, m.slug, m.id LIMIT :limit OFFSET :offset`,
    { ...params, limit: Math.min(limit, 100), offset },
  );
  return {
    monitors: toMonitors(db, rows, null),
    total: counts.reduce((sum, { count }) => sum + count, 0),
    byState: Object.fromEntries(counts.map(({ rank, count }) => [STATES_BY_RANK[rank] ?? "ok", count])),
  };
}

export function getMonitor(
  db: SqliteConnection,
  scope: Scope,
  { projectId, slug }: { projectId: number; slug: string },
): Monitor | null {
  if (!includesProject(scope, projectId)) return null;
  return findMonitor(db, "m.project_id = :projectId AND m.slug = :slug", { projectId, slug });
}

export function getMonitorById(db: SqliteConnection, scope: Scope, monitorId: number): Monitor | null {
  const monitor = findMonitor(db, "m.id = :monitorId", { monitorId });
  return monitor !== null && includesProject(scope, monitor.projectId) ? monitor : null;
}

function findMonitor(db: SqliteConnection, condition: string, params: Record<string, string | number>): Monitor | null {
  const rows = db.all<MonitorRow>(`SELECT ${MONITOR_COLUMNS} FROM monitors AS m WHERE ${condition}`, params);
  return toMonitors(db, rows, null)[0] ?? null;
}

function toMonitors(db: SqliteConnection, rows: readonly MonitorRow[], environments: string | null): Monitor[] {
  const byMonitor = readEnvironments(
    db,
    rows.map(({ id }) => id),
    environments,
  );
  return rows.map((row) => ({
    ...row,
    config: row.config && JSON.parse(row.config),
    isMuted: row.isMuted === 1,
    keepsZone: row.keepsZone === 1,
    environments: byMonitor.get(row.id) ?? [],
  }));
}

export function listRuns(
  db: SqliteConnection,
  scope: Scope,
  monitorId: number,
  { environment, before, from, to, limit }: Parameters<MonitorStore["listRuns"]>[2],
): MonitorRun[] {
  if (getMonitorById(db, scope, monitorId) === null) return [];
  const conditions = ["r.monitor_id = :monitorId"];
  const params: Record<string, string | number> = { monitorId, limit: Math.min(limit, 1000) };
  if (environment !== undefined) {
    conditions.push("r.environment = :environment");
    params.environment = environment;
  }
  if (before !== null) {
    conditions.push("r.id < :before");
    params.before = before;
  }
  if (from !== undefined) {
    conditions.push("r.started_at >= :from");
    params.from = from;
  }
  if (to !== undefined) {
    conditions.push("r.started_at < :to");
    params.to = to;
  }
  return db
    .all<RowOf<MonitorRun, { isLate: number }>>(
      `SELECT ${RUN_COLUMNS}, r.environment FROM monitor_runs AS r
       WHERE ${conditions.join(" AND ")} ORDER BY r.id DESC LIMIT :limit`,
      params,
    )
    .map(toRun);
}

export function sumRuns(
  db: SqliteConnection,
  scope: Scope,
  monitorId: number,
  { environment, from, to, stepMs }: Parameters<MonitorStore["sumRuns"]>[2],
): RunSum[] {
  if (getMonitorById(db, scope, monitorId) === null) return [];
  return db.all<RunSum>(
    `SELECT :from + CAST((started_at - :from) / :stepMs AS INTEGER) * :stepMs AS at, status, count(*) AS count,
       count(duration_ms) AS timedCount, ifnull(sum(duration_ms), 0) AS durationMs
     FROM monitor_runs
     WHERE monitor_id = :monitorId AND started_at >= :from AND started_at < :to
       AND (:environment IS NULL OR environment = :environment)
     GROUP BY 1, 2 ORDER BY 1, 2`,
    { monitorId, environment: environment ?? null, from, to, stepMs },
  );
}

const TICK_STATUSES = ["ok", "in_progress", "unknown", "late", "missed", "timeout", "error"] as const;

export function listTicks(
  db: SqliteConnection,
  scope: Scope,
  monitorIds: readonly number[],
  since: number,
): Map<number, RunTick[]> {
  const rows = db.all<{ monitorId: number; slot: number; rank: number; count: number }>(
    `SELECT r.monitor_id AS monitorId, r.started_at / ${TICK_MS} AS slot, count(*) AS count,
       max(CASE r.status WHEN 'error' THEN 6 WHEN 'timeout' THEN 5 WHEN 'missed' THEN 4 WHEN 'unknown' THEN 2
         WHEN 'in_progress' THEN 1 ELSE iif(r.is_late, 3, 0) END) AS rank
     FROM json_each(:monitorIds) AS asked
     CROSS JOIN monitors AS m ON m.id = asked.value AND m.project_id IN (SELECT value FROM json_each(:projectIds))
     CROSS JOIN monitor_runs AS r ON r.monitor_id = m.id AND r.started_at >= :since
     GROUP BY r.monitor_id, slot ORDER BY r.monitor_id, slot`,
    { monitorIds: JSON.stringify(monitorIds), projectIds: JSON.stringify(scope.projectIds), since },
  );
  return groupRows(rows, ({ monitorId, slot, rank, count }) => [
    monitorId,
    { at: slot * TICK_MS, status: TICK_STATUSES[rank] ?? "ok", count },
  ]);
}

function readEnvironments(
  db: SqliteConnection,
  monitorIds: number[],
  environments: string | null,
): Map<number, MonitorEnvironment[]> {
  const rows = db.all<EnvironmentRow>(
    `SELECT e.environment AS name,
       ${asFields(
         "e.monitor_id, e.created_at, e.last_check_in_at, e.last_status, e.last_finished_status, e.is_paused, e.state, e.next_due_at, e.trouble_at",
       )}
     FROM json_each(:ids) AS asked CROSS JOIN monitor_environments AS e ON e.monitor_id = asked.value
     ${environments === null ? "" : "WHERE e.environment IN (SELECT value FROM json_each(:environments))"}
     ORDER BY e.monitor_id, e.environment`,
    { ids: JSON.stringify(monitorIds), ...(environments === null ? {} : { environments }) },
  );
  return groupRows(rows, ({ monitorId, ...environment }) => [
    monitorId,
    { ...environment, isPaused: environment.isPaused === 1 },
  ]);
}

function readOverflows(db: SqliteConnection, scope: Scope): MonitorOverflow[] {
  return db.all<MonitorOverflow>(
    `SELECT ${asFields("project_id, check_in_count, last_slug, last_at")} FROM monitor_overflows
     WHERE project_id IN (SELECT value FROM json_each(:projectIds))
     ORDER BY project_id LIMIT 1000`,
    { projectIds: JSON.stringify(scope.projectIds) },
  );
}

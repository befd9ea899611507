import type { Monitor, MonitorEnvironment } from "../../../domain/monitor.ts";
import type { MonitorOverflow } from "../../../domain/monitors/apply-check-ins.ts";
import type { Scope } from "../../../domain/scope.ts";
import type { MonitorStore } from "../../state/monitor-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { takeNamedPage, toNamedPlaceSql } from "../named-pages.ts";

interface MonitorRow {
  id: number;
  project_id: number;
  slug: string;
  config: string | null;
  created_at: number;
}

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
      `SELECT m.id, m.project_id, m.slug, m.config, m.created_at FROM monitors AS m
       WHERE ${[at.condition, ...conditions].join(" AND ")} ORDER BY ${at.order} LIMIT :count`,
      { ...params, ...at.params, count },
    );
  });
  const byMonitor = readEnvironments(
    db,
    rows.map(({ id }) => id),
    environments,
  );
  return {
    monitors: rows.map(
      (row): Monitor => ({
        id: row.id,
        projectId: row.project_id,
        slug: row.slug,
        config: row.config === null ? null : JSON.parse(row.config),
        createdAt: row.created_at,
        environments: byMonitor.get(row.id) ?? [],
      }),
    ),
    ...cursors,
    overflows: readOverflows(db, scope),
  };
}

function readEnvironments(
  db: SqliteConnection,
  monitorIds: number[],
  environments: string | null,
): Map<number, MonitorEnvironment[]> {
  const rows = db.all<{
    monitor_id: number;
    environment: string;
    created_at: number;
    last_check_in_at: number;
    last_status: MonitorEnvironment["lastStatus"];
    last_finished_status: MonitorEnvironment["lastFinishedStatus"];
  }>(
    `SELECT e.monitor_id, e.environment, e.created_at, e.last_check_in_at, e.last_status, e.last_finished_status
     FROM json_each(:ids) AS asked CROSS JOIN monitor_environments AS e ON e.monitor_id = asked.value
     ${environments === null ? "" : "WHERE e.environment IN (SELECT value FROM json_each(:environments))"}
     ORDER BY e.monitor_id, e.environment`,
    { ids: JSON.stringify(monitorIds), ...(environments === null ? {} : { environments }) },
  );
  const byMonitor = new Map<number, MonitorEnvironment[]>();
  for (const row of rows) {
    const listed = byMonitor.get(row.monitor_id) ?? [];
    listed.push({
      name: row.environment,
      createdAt: row.created_at,
      lastCheckInAt: row.last_check_in_at,
      lastStatus: row.last_status,
      lastFinishedStatus: row.last_finished_status,
    });
    byMonitor.set(row.monitor_id, listed);
  }
  return byMonitor;
}

function readOverflows(db: SqliteConnection, scope: Scope): MonitorOverflow[] {
  return db
    .all<{ project_id: number; check_in_count: number; last_slug: string; last_at: number }>(
      `SELECT project_id, check_in_count, last_slug, last_at FROM monitor_overflows
       WHERE project_id IN (SELECT value FROM json_each(:projectIds))
       ORDER BY project_id LIMIT 1000`,
      { projectIds: JSON.stringify(scope.projectIds) },
    )
    .map((row) => ({
      projectId: row.project_id,
      checkInCount: row.check_in_count,
      lastSlug: row.last_slug,
      lastAt: row.last_at,
    }));
}

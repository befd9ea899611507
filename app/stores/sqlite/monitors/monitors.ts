import type { Monitor, MonitorEnvironment } from "../../../domain/monitor.ts";
import type { MonitorOverflow } from "../../../domain/monitors/apply-check-ins.ts";
import type { Scope } from "../../../domain/scope.ts";
import { asFields, groupRows, type RowOf } from "../../sql/columns.ts";
import type { MonitorStore } from "../../state/monitor-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { takeNamedPage, toNamedPlaceSql } from "../named-pages.ts";

type MonitorRow = RowOf<Omit<Monitor, "environments">, { config: string | null }>;

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
      `SELECT ${asFields("m.id, m.project_id, m.slug, m.config, m.created_at")} FROM monitors AS m
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
        ...row,
        config: row.config && JSON.parse(row.config),
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
  const rows = db.all<MonitorEnvironment & { monitorId: number }>(
    `SELECT e.environment AS name,
       ${asFields("e.monitor_id, e.created_at, e.last_check_in_at, e.last_status, e.last_finished_status")}
     FROM json_each(:ids) AS asked CROSS JOIN monitor_environments AS e ON e.monitor_id = asked.value
     ${environments === null ? "" : "WHERE e.environment IN (SELECT value FROM json_each(:environments))"}
     ORDER BY e.monitor_id, e.environment`,
    { ids: JSON.stringify(monitorIds), ...(environments === null ? {} : { environments }) },
  );
  return groupRows(rows, ({ monitorId, ...environment }) => [monitorId, environment]);
}

function readOverflows(db: SqliteConnection, scope: Scope): MonitorOverflow[] {
  return db.all<MonitorOverflow>(
    `SELECT ${asFields("project_id, check_in_count, last_slug, last_at")} FROM monitor_overflows
     WHERE project_id IN (SELECT value FROM json_each(:projectIds))
     ORDER BY project_id LIMIT 1000`,
    { projectIds: JSON.stringify(scope.projectIds) },
  );
}

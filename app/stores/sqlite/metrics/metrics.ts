import type { AuditFields } from "../../../domain/audit/audit-entry.ts";
import {
  METRIC_LIMITS,
  type MetricEvaluation,
  type MetricMonitor,
  type MetricPeriod,
  type MetricSettings,
  NO_METRIC_STATE,
} from "../../../domain/metrics/metric-monitor.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import { MINUTE_MS } from "../../../domain/time.ts";
import { groupRows } from "../../sql/columns.ts";
import type { MetricStore } from "../../state/metric-store.ts";
import { nameProjects } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";
import { loadDowntimes } from "../monitors/watched-environments.ts";
import {
  EVALUATION_COLUMNS,
  type EvaluationRow,
  endMetricTrouble,
  METRIC_COLUMNS,
  type MetricRow,
  PERIOD_COLUMNS,
  readMetric,
  toEvaluation,
  toMetric,
} from "./metric-rows.ts";

const OF_SCOPE = "project_id IN (SELECT value FROM json_each(:projectIds))";

export function createMetricStore(db: SqliteConnection): MetricStore {
  const get = (scope: Scope, id: number) => {
    const monitor = readMetric(db, id);
    return monitor && includesProject(scope, monitor.projectId) ? monitor : null;
  };
  const change = (scope: Scope, id: number, act: (monitor: MetricMonitor) => void) =>
    db.write(() => {
      const monitor = get(scope, id);
      if (monitor === null) return false;
      act(monitor);
      return true;
    });

  return {
    listMetricMonitors: async (scope, { text = "", projectId }) =>
      db
        .all<MetricRow>(
          `SELECT ${METRIC_COLUMNS} FROM metric_monitors
           WHERE ${OF_SCOPE} AND (:projectId IS NULL OR project_id = :projectId)
             AND (:text = '' OR instr(lower(settings ->> 'name'), :text) > 0 OR instr(lower(settings ->> 'query'), :text) > 0)
           ORDER BY is_paused, state ->> 'status' <> 'critical', state ->> 'status' <> 'warning', name_key(settings ->> 'name'), id
           LIMIT :limit`,
          {
            projectIds: JSON.stringify(scope.projectIds),
            projectId: projectId ?? null,
            text: text.trim().toLowerCase(),
            limit: METRIC_LIMITS.monitors,
          },
        )
        .map(toMetric),
    getMetricMonitor: async (scope, monitorId) => get(scope, monitorId),
    createMetricMonitor: (scope, projectId, settings, now) =>
      db.write(() => {
        if (!includesProject(scope, projectId)) return null;
        const count = db.get<{ count: number }>("SELECT count(*) AS count FROM metric_monitors")?.count ?? 0;
        if (count >= METRIC_LIMITS.monitors) return null;
        const { insertedId } = db.run(
          `INSERT INTO metric_monitors (project_id, settings, state, created_at, next_at)
           VALUES (:projectId, :settings, :state, :now, :nextAt)`,
          {
            projectId,
            settings: JSON.stringify(settings),
            state: JSON.stringify(NO_METRIC_STATE),
            now,
            nextAt: toMinute(now),
          },
        );
        note(db, "metric.create", { id: insertedId, projectId }, { after: settings });
        return readMetric(db, insertedId);
      }),
    saveMetricSettings: (scope, monitorId, settings, now) =>
      change(scope, monitorId, (monitor) => {
        const isOther = isOtherFigure(monitor.settings, settings);
        if (isOther) endMetricTrouble(db, monitor, { at: now, reason: "the monitor watches another figure" });
        db.run(
          "UPDATE metric_monitors SET settings = :settings, state = :state, next_at = min(next_at, :nextAt) WHERE id = :monitorId",
          {
            monitorId,
            settings: JSON.stringify(settings),
            state: JSON.stringify(isOther ? NO_METRIC_STATE : monitor.state),
            nextAt: toMinute(now),
          },
        );
        // The chart of a monitor shows one figure.
        if (isOther) db.run("DELETE FROM metric_evaluations WHERE monitor_id = :monitorId", { monitorId });
        note(db, "metric.edit", monitor, { before: monitor.settings, after: settings });
      }),
    pauseMetricMonitor: (scope, monitorId, isPaused, now) =>
      change(scope, monitorId, (monitor) => {
        if (monitor.isPaused === isPaused) return;
        if (isPaused) endMetricTrouble(db, monitor, { at: now, reason: "nobody watches it any more" });
        db.run(
          "UPDATE metric_monitors SET is_paused = :isPaused, state = :state, next_at = :nextAt WHERE id = :monitorId",
          { monitorId, isPaused: Number(isPaused), state: JSON.stringify(NO_METRIC_STATE), nextAt: toMinute(now) },
        );
        note(db, "metric.edit", monitor, {
          before: { ...monitor.settings, paused: monitor.isPaused },
          after: { ...monitor.settings, paused: isPaused },
        });
      }),
    deleteMetricMonitor: (scope, monitorId, now) =>
      change(scope, monitorId, (monitor) => {
        endMetricTrouble(db, monitor, { at: now, reason: "nobody watches it any more" });
        db.run("DELETE FROM metric_monitors WHERE id = :monitorId", { monitorId });
        note(db, "metric.delete", monitor, { before: monitor.settings });
      }),
    listMetricEvaluations: async (scope, monitorIds, limit) =>
      groupRows(
        db.all<EvaluationRow & { monitorId: number }>(
          `SELECT m.id AS monitorId, ${EVALUATION_COLUMNS}
           FROM metric_monitors AS m CROSS JOIN metric_evaluations AS e ON e.monitor_id = m.id
           WHERE m.id IN (SELECT value FROM json_each(:ids)) AND m.${OF_SCOPE}
             AND e.at > coalesce((SELECT at FROM metric_evaluations WHERE monitor_id = m.id ORDER BY at DESC LIMIT 1 OFFSET :limit), 0)
           ORDER BY m.id, e.at DESC`,
          { ids: JSON.stringify(monitorIds), limit, projectIds: JSON.stringify(scope.projectIds) },
        ),
        ({ monitorId, ...row }): [number, MetricEvaluation] => [monitorId, toEvaluation(row)],
      ),
    listMetricPeriods: async (scope, monitorId, limit) =>
      get(scope, monitorId) === null
        ? []
        : db.all<MetricPeriod>(
            `SELECT ${PERIOD_COLUMNS} FROM metric_periods WHERE monitor_id = :monitorId ORDER BY started_at DESC LIMIT :limit`,
            { monitorId, limit },
          ),
    listDowntimes: async (since) => loadDowntimes(db, since),
  };
}

function toMinute(now: number): number {
  return Math.floor(now / MINUTE_MS) * MINUTE_MS;
}

/** Whether the values of one figure cannot be compared with those of the other. */
function isOtherFigure(one: MetricSettings, other: MetricSettings): boolean {
  const keys = ["dataset", "figure", "query", "environment", "windowMinutes", "direction"] as const;
  const isChange = one.comparison === "week" || other.comparison === "week";
  return keys.some((key) => one[key] !== other[key]) || (isChange && one.comparison !== other.comparison);
}

function note(
  db: SqliteConnection,
  action: "metric.create" | "metric.edit" | "metric.delete",
  { id, projectId }: { id: number; projectId: number },
  { before, after }: { before?: NotedSettings; after?: NotedSettings },
): void {
  const [project] = nameProjects(db, [projectId]);
  db.note({
    action,
    target: { kind: "metric monitor", id, name: `${(after ?? before)?.name} (${project ?? `project ${projectId}`})` },
    ...(before && { before: toFields(before) }),
    ...(after && { after: toFields(after) }),
  });
}

type NotedSettings = MetricSettings & { paused?: boolean };

/** The fields of a monitor in the audit log. Thresholds of a project's goal are noted with the goal. */
function toFields(settings: NotedSettings): AuditFields {
  if (settings.comparison !== "goal") return { ...settings };
  const { critical, warning, recovery, ...others } = settings;
  return others;
}

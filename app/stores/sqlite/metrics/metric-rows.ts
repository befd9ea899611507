import { toMetricSubject } from "../../../domain/metrics/evaluate-metric.ts";
import { followGoal } from "../../../domain/metrics/follow-goal.ts";
import type {
  MetricEvaluation,
  MetricLines,
  MetricMonitor,
  MetricPeriod,
} from "../../../domain/metrics/metric-monitor.ts";
import { DEFAULT_HEALTH_GOAL, type HealthGoal } from "../../../domain/releases/release-health.ts";
import { asFields } from "../../sql/columns.ts";
import type { SqliteConnection } from "../connection.ts";
import { addFindings } from "../findings/findings.ts";

export interface MetricRow {
  id: number;
  projectId: number;
  settings: string;
  state: string;
  isPaused: number;
  createdAt: number;
  nextAt: number;
  /** The goal of the project, as a `HealthGoal`. Null: it set none. */
  goal: string | null;
}

export const METRIC_COLUMNS = `${asFields("id, project_id, settings, state, is_paused, created_at, next_at")},
  (SELECT json_object('target', target, 'floor', floor) FROM health_goals WHERE project_id = metric_monitors.project_id) AS goal`;
export const PERIOD_COLUMNS = asFields("started_at, ended_at, level, peak");
export const EVALUATION_COLUMNS = asFields(
  "at, value, baseline, decision, reason, release, critical_line, warning_line",
);

export function readMetric(db: SqliteConnection, monitorId: number): MetricMonitor | null {
  const row = db.get<MetricRow>(`SELECT ${METRIC_COLUMNS} FROM metric_monitors WHERE id = :monitorId`, { monitorId });
  return row === undefined ? null : toMetric(row);
}

export function toMetric({ settings, state, isPaused, goal, ...row }: MetricRow): MetricMonitor {
  return {
    ...row,
    isPaused: isPaused === 1,
    settings: followGoal(JSON.parse(settings), goal === null ? DEFAULT_HEALTH_GOAL : (JSON.parse(goal) as HealthGoal)),
    state: JSON.parse(state),
  };
}

export interface EvaluationRow extends Omit<MetricEvaluation, "lines"> {
  criticalLine: number | null;
  warningLine: number | null;
}

export function toEvaluation({ criticalLine, warningLine, ...row }: EvaluationRow): MetricEvaluation {
  const lines: MetricLines | null = criticalLine === null ? null : { critical: criticalLine, warning: warningLine };
  return { ...row, lines };
}

export function readOpenPeriod(db: SqliteConnection, monitorId: number): MetricPeriod | null {
  return (
    db.get<MetricPeriod>(
      `SELECT ${PERIOD_COLUMNS} FROM metric_periods WHERE monitor_id = :monitorId AND ended_at IS NULL`,
      { monitorId },
    ) ?? null
  );
}

/** Within a write transaction. */
export function closePeriod(db: SqliteConnection, monitorId: number, at: number): boolean {
  return (
    db.run("UPDATE metric_periods SET ended_at = :at WHERE monitor_id = :monitorId AND ended_at IS NULL", {
      monitorId,
      at,
    }).changedRows > 0
  );
}

/** Ends the trouble of a monitor that is no longer watched, within a write transaction. */
export function endMetricTrouble(
  db: SqliteConnection,
  { id, projectId }: Pick<MetricMonitor, "id" | "projectId">,
  { at, reason }: { at: number; reason: string },
): void {
  if (closePeriod(db, id, at))
    addFindings(db, [{ kind: "recovery", projectId, subject: toMetricSubject(id), at, reason }]);
}

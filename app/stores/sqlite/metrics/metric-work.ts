import { evaluateMetric, findMetricFindings, POINTS_OF_FINDING } from "../../../domain/metrics/evaluate-metric.ts";
import { METRIC_LIMITS, type MetricEvaluation } from "../../../domain/metrics/metric-monitor.ts";
import type { MetricLook, MetricWork } from "../../state/metric-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { addFindings } from "../findings/findings.ts";
import { loadDowntimes } from "../monitors/watched-environments.ts";
import {
  closePeriod,
  EVALUATION_COLUMNS,
  type EvaluationRow,
  METRIC_COLUMNS,
  type MetricRow,
  readMetric,
  readOpenPeriod,
  toEvaluation,
  toMetric,
} from "./metric-rows.ts";

/** Old rows are deleted once in this time, so that most inserts do not search for them. */
const TRIM_EVERY_MINUTES = 15;

/** No evaluation is planned farther in the future. A later one shows that the clock was set back. */
const FARTHEST_MS = 60 * 60_000;

export function createMetricWork(db: SqliteConnection): MetricWork {
  return {
    listDueMetricMonitors: async (upTo, limit) =>
      db
        .all<MetricRow>(
          `SELECT ${METRIC_COLUMNS} FROM metric_monitors
           WHERE is_paused = 0 AND (next_at <= :upTo OR next_at > :upTo + ${FARTHEST_MS})
           ORDER BY next_at, id LIMIT :limit`,
          { upTo, limit },
        )
        .map(toMetric),
    listDowntimes: async (since) => loadDowntimes(db, since),
    saveMetricLooks: async (looks) =>
      looks.length === 0 ? 0 : db.write(() => looks.filter((look) => saveLook(db, look)).length),
  };
}

/** Saves an evaluation within a write transaction. Returns whether the status changed. */
function saveLook(db: SqliteConnection, { monitor: asked, reading, nextAt }: MetricLook): boolean {
  const monitor = readMetric(db, asked.id);
  if (monitor === null || monitor.isPaused) return false;
  if (JSON.stringify(monitor.settings) !== JSON.stringify(asked.settings)) return false;
  const monitorId = monitor.id;
  const before = readOpenPeriod(db, monitorId);
  const evaluated = evaluateMetric(monitor, before, reading);
  const { evaluation, state, opened, worsened, closedAt } = evaluated;
  const { lines, ...row } = evaluation;
  const points = opened || worsened ? listNewest(db, monitorId) : [];
  db.run("UPDATE metric_monitors SET state = :state, next_at = :nextAt WHERE id = :monitorId", {
    monitorId,
    state: JSON.stringify(state),
    nextAt,
  });
  db.run(
    `INSERT INTO metric_evaluations (monitor_id, at, value, baseline, decision, reason, release, critical_line, warning_line)
     VALUES (:monitorId, :at, :value, :baseline, :decision, :reason, :release, :criticalLine, :warningLine)
     ON CONFLICT DO NOTHING`,
    { monitorId, ...row, criticalLine: lines?.critical ?? null, warningLine: lines?.warning ?? null },
  );
  if (closedAt !== null) closePeriod(db, monitorId, closedAt);
  if (worsened !== null)
    db.run(
      "UPDATE metric_periods SET level = :level, peak = :peak WHERE monitor_id = :monitorId AND ended_at IS NULL",
      {
        monitorId,
        ...worsened,
      },
    );
  if (opened !== null) {
    const { startedAt, level, peak } = opened;
    db.run(
      `INSERT INTO metric_periods (monitor_id, started_at, ended_at, level, peak)
       VALUES (:monitorId, :startedAt, NULL, :level, :peak) ON CONFLICT DO NOTHING`,
      { monitorId, startedAt, level, peak },
    );
    trim(db, "metric_periods", "started_at", { monitorId, kept: METRIC_LIMITS.periods });
  }
  if (Math.floor(evaluation.at / 60_000) % TRIM_EVERY_MINUTES === 0)
    trim(db, "metric_evaluations", "at", { monitorId, kept: METRIC_LIMITS.evaluations });
  addFindings(db, findMetricFindings(monitor, evaluated, { before, points }));
  return state.status !== monitor.state.status;
}

/** The newest evaluations, oldest first. */
function listNewest(db: SqliteConnection, monitorId: number): MetricEvaluation[] {
  return db
    .all<EvaluationRow>(
      `SELECT ${EVALUATION_COLUMNS} FROM metric_evaluations WHERE monitor_id = :monitorId ORDER BY at DESC LIMIT :limit`,
      { monitorId, limit: POINTS_OF_FINDING },
    )
    .reverse()
    .map(toEvaluation);
}

function trim(
  db: SqliteConnection,
  table: "metric_periods" | "metric_evaluations",
  column: "started_at" | "at",
  { monitorId, kept }: { monitorId: number; kept: number },
): void {
  db.run(
    `DELETE FROM ${table} WHERE monitor_id = :monitorId AND ${column} <= (
       SELECT ${column} FROM ${table} WHERE monitor_id = :monitorId ORDER BY ${column} DESC LIMIT 1 OFFSET :kept)`,
    { monitorId, kept },
  );
}

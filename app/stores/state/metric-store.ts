import type { MetricReading } from "../../domain/metrics/evaluate-metric.ts";
import type {
  MetricEvaluation,
  MetricMonitor,
  MetricPeriod,
  MetricSettings,
} from "../../domain/metrics/metric-monitor.ts";
import type { Downtime } from "../../domain/monitors/watch-runs.ts";
import type { Scope } from "../../domain/scope.ts";

/** Monitors of figures. */
export interface MetricStore {
  /**
   * Monitors of the scope's projects. Those in trouble come first, then by name. At most `METRIC_LIMITS.monitors`. `text`: part of the
   * name or the search, in any case.
   */
  listMetricMonitors(scope: Scope, query: { text?: string; projectId?: number }): Promise<MetricMonitor[]>;
  /** Null: the scope has no such monitor. */
  getMetricMonitor(scope: Scope, monitorId: number): Promise<MetricMonitor | null>;
  /** Evaluated within a minute. Null: the server has `METRIC_LIMITS.monitors` of them. */
  createMetricMonitor(
    scope: Scope,
    projectId: number,
    settings: MetricSettings,
    now: number,
  ): Promise<MetricMonitor | null>;
  /**
   * If the new settings have another figure, the state begins again and open trouble ends, because earlier values say nothing about it.
   * Other lines count from the next evaluation. False: the scope has no such monitor.
   */
  saveMetricSettings(scope: Scope, monitorId: number, settings: MetricSettings, now: number): Promise<boolean>;
  /** Paused: nothing is evaluated, and its trouble ends. */
  pauseMetricMonitor(scope: Scope, monitorId: number, isPaused: boolean, now: number): Promise<boolean>;
  /** Deletes the monitor with its history. Open trouble ends. */
  deleteMetricMonitor(scope: Scope, monitorId: number, now: number): Promise<boolean>;
  /** The newest first, at most `limit` of each monitor. */
  listMetricEvaluations(
    scope: Scope,
    monitorIds: readonly number[],
    limit: number,
  ): Promise<Map<number, MetricEvaluation[]>>;
  /** The newest first. */
  listMetricPeriods(scope: Scope, monitorId: number, limit: number): Promise<MetricPeriod[]>;
  /** Periods in which Culprit was down that end after `since`, oldest first. */
  listDowntimes(since: number): Promise<Downtime[]>;
}

export interface MetricLook {
  /** The monitor as it was when its figure was read. */
  monitor: MetricMonitor;
  reading: MetricReading;
  /** The end of the window that is evaluated next. */
  nextAt: number;
}

/** For the job that evaluates. */
export interface MetricWork {
  /**
   * Monitors whose window ended by `upTo`, those that wait longest first. A monitor that is planned more than an hour after `upTo` is
   * due, too: the clock was set back.
   */
  listDueMetricMonitors(upTo: number, limit: number): Promise<MetricMonitor[]>;
  listDowntimes(since: number): Promise<Downtime[]>;
  /**
   * Saves evaluations (`evaluateMetric`) with the history, periods of trouble, and findings, in one transaction. An evaluation of
   * settings that the monitor no longer has is left out. Returns how many statuses changed.
   */
  saveMetricLooks(looks: readonly MetricLook[]): Promise<number>;
}

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
  /** Those of the scope's projects: in trouble first, then by name. At most `METRIC_LIMITS.monitors`. `text`: part of the name or the search, in any case. */
  listMetricMonitors(scope: Scope, query: { text?: string; projectId?: number }): Promise<MetricMonitor[]>;
  /** Null: there is none in the scope. */
  getMetricMonitor(scope: Scope, monitorId: number): Promise<MetricMonitor | null>;
  /** Evaluated within a minute. Null: the server has `METRIC_LIMITS.monitors` of them. */
  createMetricMonitor(
    scope: Scope,
    projectId: number,
    settings: MetricSettings,
    now: number,
  ): Promise<MetricMonitor | null>;
  /**
   * What was seen of another figure says nothing of this one: then its state begins again, and its trouble ends. Other lines hold from the next look on.
   * False: there is none in the scope.
   */
  saveMetricSettings(scope: Scope, monitorId: number, settings: MetricSettings, now: number): Promise<boolean>;
  /** Paused: nothing is evaluated, and its trouble ends. */
  pauseMetricMonitor(scope: Scope, monitorId: number, isPaused: boolean, now: number): Promise<boolean>;
  /** With its history. Its trouble ends. */
  deleteMetricMonitor(scope: Scope, monitorId: number, now: number): Promise<boolean>;
  /** The newest first, at most `limit` of each monitor. */
  listMetricEvaluations(
    scope: Scope,
    monitorIds: readonly number[],
    limit: number,
  ): Promise<Map<number, MetricEvaluation[]>>;
  /** The newest first. */
  listMetricPeriods(scope: Scope, monitorId: number, limit: number): Promise<MetricPeriod[]>;
  /** Times in which Culprit was down, the oldest first: those that end after `since`. */
  listDowntimes(since: number): Promise<Downtime[]>;
}

export interface MetricLook {
  /** As it was when its figure was read. */
  monitor: MetricMonitor;
  reading: MetricReading;
  /** The end of the window that is evaluated next. */
  nextAt: number;
}

/** For the job that evaluates. */
export interface MetricWork {
  /** Monitors whose window ended by `upTo`, those that wait longest first. One that is planned more than an hour after `upTo` is due, too: the clock was set back. */
  listDueMetricMonitors(upTo: number, limit: number): Promise<MetricMonitor[]>;
  listDowntimes(since: number): Promise<Downtime[]>;
  /**
   * In one transaction: what the looks mean (`evaluateMetric`), the history, times in trouble, and findings. A look of settings that are not the monitor's any more
   * is left out. Gives how many statuses changed.
   */
  saveMetricLooks(looks: readonly MetricLook[]): Promise<number>;
}

import type { Monitor, MonitorConfig, MonitorState, Run, RunStatus } from "../../domain/monitor.ts";
import type { MonitorOverflow } from "../../domain/monitors/apply-check-ins.ts";
import type { Downtime } from "../../domain/monitors/watch-runs.ts";
import type { Scope } from "../../domain/scope.ts";

/** Runs of an environment that are kept; the oldest go first. */
export const MAX_RUNS = 2_000;
/** Runs of an environment whose output is kept. */
export const MAX_OUTPUTS = 20;
/** The width of a tick of a strip. */
export const TICK_MS = 15 * 60_000;

export type MonitorRun = Run & { id: number; environment: string };

/** The runs of a monitor that began within the same quarter of an hour. */
export interface RunTick {
  /** Its start, in milliseconds since 1970. */
  at: number;
  /** The worst of them. */
  status: RunStatus | "late";
  count: number;
}

/** Runs of one status that began within the same step. */
export interface RunSum {
  /** Its start, in milliseconds since 1970. */
  at: number;
  status: RunStatus;
  count: number;
  /** The number of runs that have a duration, and the sum of those durations. */
  timedCount: number;
  durationMs: number;
}

export interface MonitorChange {
  name?: string | null;
  config?: MonitorConfig | null;
  isMuted?: boolean;
  /** Ends by itself with another schedule or time zone. */
  keepsZone?: boolean;
  slug?: string;
}

/** Monitors are made by the check-ins of `BatchStore.applyBatch`, and by people. */
export interface MonitorStore {
  /**
   * Monitors by slug. `environments`: only monitors with check-ins from these, and only these of their environments. Empty or absent:
   * all. `limit` at most 100. `cursor` opaque. `text`: part of the slug, in any case.
   */
  listMonitors(
    scope: Scope,
    query: {
      environments?: string[];
      text?: string;
      cursor: string | null;
      limit: number;
    },
  ): Promise<{
    monitors: Monitor[];
    nextCursor: string | null;
    previousCursor: string | null;
    /** One entry for each project of the scope with check-ins that found no room. */
    overflows: MonitorOverflow[];
  }>;
  /**
   * A page of monitors, those in trouble first, then by slug. With the number that match, and the number in each state (that of their
   * worst environment).
   */
  listByState(
    scope: Scope,
    query: { text?: string; offset: number; limit: number },
  ): Promise<{ monitors: Monitor[]; total: number; byState: Partial<Record<MonitorState | "paused", number>> }>;
  getMonitor(scope: Scope, where: { projectId: number; slug: string }): Promise<Monitor | null>;
  /** Newest first, with the id below `before` (null: from the newest). `from` and `to`: when they began. */
  listRuns(
    scope: Scope,
    monitorId: number,
    query: { environment?: string; before: number | null; from?: number; to?: number; limit: number },
  ): Promise<MonitorRun[]>;
  /** Runs that began from `from` until before `to`, by steps that begin at `from`, oldest first. */
  sumRuns(
    scope: Scope,
    monitorId: number,
    query: { environment?: string; from: number; to: number; stepMs: number },
  ): Promise<RunSum[]>;
  /** The ticks by monitor, oldest first. */
  listTicks(scope: Scope, monitorIds: readonly number[], since: number): Promise<Map<number, RunTick[]>>;
  /** Periods in which Culprit was down, oldest first. */
  listDowntimes(since: number): Promise<Downtime[]>;
  createMonitor(
    scope: Scope,
    monitor: { projectId: number; slug: string; name: string | null; config: MonitorConfig; at: number },
  ): Promise<{ ok: true; monitor: Monitor } | { ok: false; reason: "not-found" | "taken" | "full" }>;
  /** Changes a monitor. A new schedule counts from `at` on: open runs of the old one are forgotten. */
  changeMonitor(
    scope: Scope,
    monitorId: number,
    change: MonitorChange & { at: number },
  ): Promise<{ ok: true; monitor: Monitor } | { ok: false; reason: "not-found" | "taken" }>;
  /** Pauses an environment, so that no run is expected. `environment` null: all of the monitor. False: there is no such environment. */
  pause(
    scope: Scope,
    monitorId: number,
    change: { environment: string | null; isPaused: boolean; at: number },
  ): Promise<boolean>;
  /** Deletes the monitor with its runs. Its open issue is resolved. */
  deleteMonitor(scope: Scope, monitorId: number, at: number): Promise<boolean>;
}

import type { Scope } from "../../domain/scope.ts";
import type { UptimeDay } from "../../domain/uptime/status-page.ts";
import type {
  PlacedCheck,
  UptimeCheck,
  UptimeMonitor,
  UptimeOutage,
  UptimeQuarter,
  UptimeSettings,
} from "../../domain/uptime/uptime-monitor.ts";

/** Single checks that are kept of each monitor, by each place that checks it. */
export const MAX_RECENT_CHECKS = 50;

export interface UptimeStore {
  /**
   * Monitors of the scope's projects. Those that are down come first, then by name. At most `UPTIME_LIMITS.monitors`. `text`: part of the
   * name or address, in any case.
   */
  listUptimeMonitors(scope: Scope, query: { text?: string; projectId?: number }): Promise<UptimeMonitor[]>;
  /** Null: the scope has no such monitor. */
  getUptimeMonitor(scope: Scope, monitorId: number): Promise<UptimeMonitor | null>;
  /** Checked at once. Null: the server has `UPTIME_LIMITS.monitors` of them. */
  createUptimeMonitor(
    scope: Scope,
    projectId: number,
    settings: UptimeSettings,
    now: number,
  ): Promise<UptimeMonitor | null>;
  /**
   * Saves the settings. If the address changes, the state begins again, because earlier checks say nothing about it. False: the scope has
   * no such monitor.
   */
  saveUptimeSettings(scope: Scope, monitorId: number, settings: UptimeSettings, now: number): Promise<boolean>;
  /** Paused: nothing is asked, and an open outage ends. */
  pauseUptimeMonitor(scope: Scope, monitorId: number, isPaused: boolean, now: number): Promise<boolean>;
  deleteUptimeMonitor(scope: Scope, monitorId: number): Promise<boolean>;
  /** The sums from this quarter on, in their order, by monitor. A quarter without checks has none. */
  listUptimeQuarters(
    scope: Scope,
    monitorIds: readonly number[],
    fromQuarter: number,
  ): Promise<Map<number, UptimeQuarter[]>>;
  /** The sums by day (UTC) from this one on, in their order, by monitor. */
  listUptimeDays(scope: Scope, monitorIds: readonly number[], fromDay: number): Promise<Map<number, UptimeDay[]>>;
  /** The newest first. */
  listUptimeOutages(scope: Scope, monitorId: number, limit: number): Promise<UptimeOutage[]>;
  /** Checks of all locations, newest first. At most `MAX_RECENT_CHECKS`. */
  listUptimeChecks(scope: Scope, monitorId: number): Promise<PlacedCheck[]>;
}

/** For the job that checks the addresses. Sums and outages are deleted with the retention of counts (`State.dropBefore`). */
export interface UptimeWork {
  /** Monitors whose check is due, and the instant of their next one is put off by `leaseMs`, so that nobody else takes them. */
  claimUptimeMonitors(request: { now: number; limit: number; leaseMs: number }): Promise<UptimeMonitor[]>;
  /**
   * Saves a check by this server, in one transaction: its meaning (`applyCheck`), its sums, its outage and its findings. A check with
   * former settings is left out.
   */
  saveUptimeCheck(monitor: UptimeMonitor, check: UptimeCheck): Promise<void>;
}

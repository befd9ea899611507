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
  /** Those of the scope's projects, the ones that are down first, then by name. At most `UPTIME_LIMITS.monitors`. `text`: part of the name or address, in any case. */
  listUptimeMonitors(scope: Scope, query: { text?: string; projectId?: number }): Promise<UptimeMonitor[]>;
  /** Null: there is none in the scope. */
  getUptimeMonitor(scope: Scope, monitorId: number): Promise<UptimeMonitor | null>;
  /** Checked at once. Null: the server has `UPTIME_LIMITS.monitors` of them. */
  createUptimeMonitor(
    scope: Scope,
    projectId: number,
    settings: UptimeSettings,
    now: number,
  ): Promise<UptimeMonitor | null>;
  /** What was seen of another address says nothing of this one: then its state begins anew. False: there is none in the scope. */
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
  /** Of all places, the newest first. At most `MAX_RECENT_CHECKS`. */
  listUptimeChecks(scope: Scope, monitorId: number): Promise<PlacedCheck[]>;
}

/** For the job that asks the addresses. Sums and outages go with the retention of counts (`State.dropBefore`). */
export interface UptimeWork {
  /** Monitors whose check is due, and the instant of their next one is put off by `leaseMs`, so that nobody else takes them. */
  claimUptimeMonitors(request: { now: number; limit: number; leaseMs: number }): Promise<UptimeMonitor[]>;
  /**
   * Of this server. In one transaction: what the check means (`applyCheck`), its sums, its outage and its findings. A check of settings that are
   * not the monitor's any more is left out.
   */
  saveUptimeCheck(monitor: UptimeMonitor, check: UptimeCheck): Promise<void>;
}

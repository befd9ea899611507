import { DAY_MS } from "../../../domain/time.ts";
import { type AppliedCheck, applyCheck } from "../../../domain/uptime/apply-check.ts";
import { HERE } from "../../../domain/uptime/uptime-location.ts";
import { QUARTER_MS, type UptimeCheck, type UptimeMonitor } from "../../../domain/uptime/uptime-monitor.ts";
import { MAX_RECENT_CHECKS, type UptimeWork } from "../../state/uptime-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { addFindings } from "../findings/findings.ts";
import {
  COLUMNS,
  closeOutage,
  listLocationNames,
  listSilent,
  type MonitorRow,
  NEVER,
  readMonitor,
  toMonitor,
} from "./uptime-rows.ts";

/** Quarters of an hour that are kept for each location. The page shows a day. */
const PLACE_QUARTERS_KEPT = (2 * DAY_MS) / QUARTER_MS;

/**
 * A condition: a check is due. No check is planned farther in the future than its pause, or than the end of a running check: a later one
 * shows that the clock was set back.
 */
const IS_DUE = `is_paused = 0 AND (next_check_at <= :now
  OR next_check_at <> ${NEVER} AND next_check_at > :now + max(:leaseMs, 1000 * json_extract(settings, '$.intervalSeconds')))`;

export function createUptimeWork(db: SqliteConnection): UptimeWork {
  return {
    claimUptimeMonitors: async ({ now, limit, leaseMs }) => {
      // A read first, because it does not wait for writers: usually nothing is due.
      if (db.get(`SELECT 1 FROM uptime_monitors WHERE ${IS_DUE} LIMIT 1`, { now, leaseMs }) === undefined) return [];
      return db.write(() => {
        const rows = db.all<MonitorRow>(
          `SELECT ${COLUMNS} FROM uptime_monitors WHERE ${IS_DUE} ORDER BY next_check_at LIMIT :limit`,
          { now, leaseMs, limit },
        );
        db.run("UPDATE uptime_monitors SET next_check_at = :until WHERE id IN (SELECT value FROM json_each(:ids))", {
          until: now + leaseMs,
          ids: JSON.stringify(rows.map(({ id }) => id)),
        });
        return rows.map(toMonitor);
      });
    },
    saveUptimeCheck: (asked, check) =>
      db.write(() => {
        const monitor = readMonitor(db, asked.id);
        if (monitor === null || monitor.isPaused) return;
        if (JSON.stringify(monitor.settings) !== JSON.stringify(asked.settings)) return;
        saveCheck(db, monitor, check, HERE);
      }),
  };
}

/** Within a write transaction. */
export function saveCheck(db: SqliteConnection, monitor: UptimeMonitor, check: UptimeCheck, locationId: number): void {
  const monitorId = monitor.id;
  const isShared = monitor.settings.locationIds.length > 0;
  const applied = applyCheck(monitor, check, {
    locationId,
    silent: isShared ? listSilent(db) : new Set(),
    names: isShared ? listLocationNames(db) : new Map(),
  });
  db.run("UPDATE uptime_monitors SET state = :state, next_check_at = :nextCheckAt WHERE id = :monitorId", {
    monitorId,
    state: JSON.stringify(applied.state),
    nextCheckAt: locationId === HERE ? applied.nextCheckAt : monitor.nextCheckAt,
  });
  saveOutage(db, monitorId, applied);
  const sums = toSums(check);
  if (applied.isCounted)
    db.run(
      `INSERT INTO uptime_quarters (monitor_id, quarter, checks, failed, sum_ms, max_ms)
       VALUES (:monitorId, :quarter, 1, :failed, :ms, :ms) ON CONFLICT DO UPDATE SET ${ADD}`,
      { monitorId, ...sums },
    );
  if (isShared) savePlaceQuarter(db, { monitorId, locationId, ...sums });
  db.run(
    `INSERT INTO uptime_checks (monitor_id, location_id, at, duration_ms, reason, http_status, certificate_ends_at, trace_id)
     VALUES (:monitorId, :locationId, :at, :durationMs, :reason, :httpStatus, :certificateEndsAt, :traceId)
     ON CONFLICT DO NOTHING`,
    { monitorId, locationId, ...check },
  );
  db.run(
    `DELETE FROM uptime_checks WHERE monitor_id = :monitorId AND location_id = :locationId AND at <= (
       SELECT at FROM uptime_checks WHERE monitor_id = :monitorId AND location_id = :locationId
       ORDER BY at DESC LIMIT 1 OFFSET :kept)`,
    { monitorId, locationId, kept: MAX_RECENT_CHECKS },
  );
  addFindings(db, applied.findings);
}

const ADD = `checks = checks + 1, failed = failed + excluded.failed, sum_ms = sum_ms + excluded.sum_ms,
  max_ms = max(max_ms, excluded.max_ms)`;

function toSums({ at, reason, durationMs }: UptimeCheck): { quarter: number; failed: number; ms: number } {
  const isWell = reason === null;
  return { quarter: Math.floor(at / QUARTER_MS), failed: isWell ? 0 : 1, ms: isWell ? durationMs : 0 };
}

function savePlaceQuarter(
  db: SqliteConnection,
  sums: { monitorId: number; locationId: number } & ReturnType<typeof toSums>,
): void {
  db.run(
    `INSERT INTO uptime_place_quarters (monitor_id, location_id, quarter, checks, failed, sum_ms, max_ms)
     VALUES (:monitorId, :locationId, :quarter, 1, :failed, :ms, :ms) ON CONFLICT DO UPDATE SET ${ADD}`,
    sums,
  );
  const { monitorId, locationId } = sums;
  db.run(
    "DELETE FROM uptime_place_quarters WHERE monitor_id = :monitorId AND location_id = :locationId AND quarter < :first",
    { monitorId, locationId, first: sums.quarter - PLACE_QUARTERS_KEPT },
  );
}

function saveOutage(db: SqliteConnection, monitorId: number, { opened, closedAt }: AppliedCheck): void {
  if (opened !== null)
    db.run(
      `INSERT INTO uptime_outages (monitor_id, started_at, ended_at, reason)
       VALUES (:monitorId, :startedAt, NULL, :reason) ON CONFLICT DO NOTHING`,
      { monitorId, startedAt: opened.startedAt, reason: opened.reason },
    );
  if (closedAt !== null) closeOutage(db, monitorId, closedAt);
}

/** Drops old rows within a write transaction. Returns how many. */
export function dropUptimeBefore(db: SqliteConnection, instantMs: number): number {
  const quarter = Math.floor(instantMs / QUARTER_MS);
  return (
    db.run("DELETE FROM uptime_quarters WHERE quarter < :quarter", { quarter }).changedRows +
    db.run("DELETE FROM uptime_outages WHERE ended_at < :instantMs", { instantMs }).changedRows
  );
}

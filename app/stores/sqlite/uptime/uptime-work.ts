import { type AppliedCheck, applyCheck } from "../../../domain/uptime/apply-check.ts";
import { QUARTER_MS, type UptimeCheck, type UptimeMonitor } from "../../../domain/uptime/uptime-monitor.ts";
import { MAX_RECENT_CHECKS, type UptimeWork } from "../../state/uptime-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { addFindings } from "../findings/findings.ts";
import { COLUMNS, closeOutage, type MonitorRow, readMonitor, toMonitor } from "./uptime-rows.ts";

export function createUptimeWork(db: SqliteConnection): UptimeWork {
  return {
    claimUptimeMonitors: async ({ now, limit, leaseMs }) => {
      const due = "is_paused = 0 AND next_check_at <= :now";
      // Asked first: most often nothing is due, and a read does not wait.
      if (db.get(`SELECT 1 FROM uptime_monitors WHERE ${due} LIMIT 1`, { now }) === undefined) return [];
      return db.write(() => {
        const rows = db.all<MonitorRow>(
          `SELECT ${COLUMNS} FROM uptime_monitors WHERE ${due} ORDER BY next_check_at LIMIT :limit`,
          { now, limit },
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
        saveCheck(db, monitor, check);
      }),
  };
}

/** Within a write transaction. */
function saveCheck(db: SqliteConnection, monitor: UptimeMonitor, check: UptimeCheck): void {
  const monitorId = monitor.id;
  const applied = applyCheck(monitor, check);
  db.run("UPDATE uptime_monitors SET state = :state, next_check_at = :nextCheckAt WHERE id = :monitorId", {
    monitorId,
    state: JSON.stringify(applied.state),
    nextCheckAt: applied.nextCheckAt,
  });
  saveOutage(db, monitorId, applied);
  const isWell = check.reason === null;
  db.run(
    `INSERT INTO uptime_quarters (monitor_id, quarter, checks, failed, sum_ms, max_ms)
     VALUES (:monitorId, :quarter, 1, :failed, :ms, :ms)
     ON CONFLICT DO UPDATE SET checks = checks + 1, failed = failed + excluded.failed,
       sum_ms = sum_ms + excluded.sum_ms, max_ms = max(max_ms, excluded.max_ms)`,
    {
      monitorId,
      quarter: Math.floor(check.at / QUARTER_MS),
      failed: isWell ? 0 : 1,
      ms: isWell ? check.durationMs : 0,
    },
  );
  db.run(
    `INSERT INTO uptime_checks (monitor_id, at, duration_ms, reason, http_status, certificate_ends_at, trace_id)
     VALUES (:monitorId, :at, :durationMs, :reason, :httpStatus, :certificateEndsAt, :traceId) ON CONFLICT DO NOTHING`,
    { monitorId, ...check },
  );
  db.run(
    `DELETE FROM uptime_checks WHERE monitor_id = :monitorId AND at <= (
       SELECT at FROM uptime_checks WHERE monitor_id = :monitorId ORDER BY at DESC LIMIT 1 OFFSET :kept)`,
    { monitorId, kept: MAX_RECENT_CHECKS },
  );
  addFindings(db, applied.findings);
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

/** Within a write transaction. Gives how many rows went. */
export function dropUptimeBefore(db: SqliteConnection, instantMs: number): number {
  const quarter = Math.floor(instantMs / QUARTER_MS);
  return (
    db.run("DELETE FROM uptime_quarters WHERE quarter < :quarter", { quarter }).changedRows +
    db.run("DELETE FROM uptime_outages WHERE ended_at < :instantMs", { instantMs }).changedRows
  );
}

import type { UptimeMonitor } from "../../../domain/uptime/uptime-monitor.ts";
import { asFields } from "../../sql/columns.ts";
import type { SqliteConnection } from "../connection.ts";

export interface MonitorRow {
  id: number;
  projectId: number;
  settings: string;
  state: string;
  isPaused: number;
  createdAt: number;
  nextCheckAt: number;
}

export const COLUMNS = asFields("id, project_id, settings, state, is_paused, created_at, next_check_at");
export function readMonitor(db: SqliteConnection, monitorId: number): UptimeMonitor | null {
  const row = db.get<MonitorRow>(`SELECT ${COLUMNS} FROM uptime_monitors WHERE id = :monitorId`, { monitorId });
  return row === undefined ? null : toMonitor(row);
}

export function toMonitor({ settings, state, isPaused, ...row }: MonitorRow): UptimeMonitor {
  return { ...row, isPaused: isPaused === 1, settings: JSON.parse(settings), state: JSON.parse(state) };
}

/** Within a write transaction. */
export function closeOutage(db: SqliteConnection, monitorId: number, at: number): void {
  db.run("UPDATE uptime_outages SET ended_at = :at WHERE monitor_id = :monitorId AND ended_at IS NULL", {
    monitorId,
    at,
  });
}

import { includesProject, type Scope } from "../../../domain/scope.ts";
import { HERE } from "../../../domain/uptime/uptime-location.ts";
import {
  CHECKED_HERE,
  type UptimeMonitor,
  type UptimeSettings,
  type UptimeState,
} from "../../../domain/uptime/uptime-monitor.ts";
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

/** Monitors from before there were locations are checked by this server. */
export function toMonitor({ settings, state, isPaused, ...row }: MonitorRow): UptimeMonitor {
  return {
    ...row,
    isPaused: isPaused === 1,
    settings: { ...CHECKED_HERE, ...(JSON.parse(settings) as UptimeSettings) },
    state: withPlaces(JSON.parse(state)),
  };
}

function withPlaces(state: Omit<UptimeState, "places"> & { places?: UptimeState["places"] }): UptimeState {
  const { status, since, lastCheckAt, lastReason, lastDurationMs, places } = state;
  if (places) return { ...state, places };
  if (status === "unknown" || lastCheckAt === null) return { ...state, places: [] };
  const here = { locationId: HERE, status, since: since ?? lastCheckAt, lastCheckAt, lastReason };
  return { ...state, places: [{ ...here, lastDurationMs: lastDurationMs ?? 0 }] };
}

export function isInScope(scope: Scope, { projectId }: { projectId: number }): boolean {
  return includesProject(scope, projectId);
}

/** When a monitor is due that only locations check. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** When this server checks next; never if only locations check. */
export function toDueAt({ isCheckedHere }: UptimeSettings, at: number): number {
  return isCheckedHere ? at : NEVER;
}

/** Locations that have stopped reporting. */
export function listSilent(db: SqliteConnection): Set<number> {
  const rows = db.all<{ id: number }>("SELECT id FROM uptime_locations WHERE silent_since IS NOT NULL");
  return new Set(rows.map(({ id }) => id));
}

/** Within a write transaction. */
export function closeOutage(db: SqliteConnection, monitorId: number, at: number): void {
  db.run("UPDATE uptime_outages SET ended_at = :at WHERE monitor_id = :monitorId AND ended_at IS NULL", {
    monitorId,
    at,
  });
}

export function listLocationNames(db: SqliteConnection): Map<number, string> {
  const rows = db.all<{ id: number; name: string }>("SELECT id, name FROM uptime_locations");
  return new Map(rows.map(({ id, name }) => [id, name]));
}

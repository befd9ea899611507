import { DAY_MS } from "../../../domain/time.ts";
import { MAX_DOWNTIMES, MAX_SILENCE_MS, type MonitorWatch } from "../../state/monitor-watch.ts";
import type { SqliteConnection } from "../connection.ts";
import { loadDowntimes, watchEnvironment } from "./watched-environments.ts";

/** Longer than the longest margin and run together. */
export const DOWNTIMES_SINCE_MS = 60 * DAY_MS;

/** Forgets downtimes in the future: they were noted before the clock was set back. */
function forgetComing(db: SqliteConnection, at: number): void {
  db.run("DELETE FROM server_downtimes WHERE from_at >= :at", { at });
  db.run("UPDATE server_downtimes SET to_at = :at WHERE to_at > :at", { at });
}

interface EnvironmentRow {
  monitorId: number;
  environment: string;
}

export function createMonitorWatch(db: SqliteConnection): MonitorWatch {
  return {
    noteAlive: (now, { isJump = false } = {}) =>
      db.write(() => {
        const at = Math.floor(now);
        const last = db.get<{ at: number }>("SELECT at FROM server_alive WHERE id = 1")?.at ?? at;
        db.run("INSERT INTO server_alive (id, at) VALUES (1, :at) ON CONFLICT DO UPDATE SET at = excluded.at", { at });
        if (at < last) forgetComing(db, at);
        if (at <= last || (at - last <= MAX_SILENCE_MS && !isJump)) return null;
        const downtime = { from: last, to: at };
        db.run("INSERT OR REPLACE INTO server_downtimes (from_at, to_at) VALUES (:from, :to)", downtime);
        db.run(
          `DELETE FROM server_downtimes WHERE from_at NOT IN (
             SELECT from_at FROM server_downtimes ORDER BY from_at DESC LIMIT ${MAX_DOWNTIMES})`,
        );
        return downtime;
      }),
    watchMonitors: async (asOf, limit) => {
      const due = "check_at <= :asOf";
      // A read first, because it does not wait for writers: usually nothing is due.
      if (db.get(`SELECT 1 FROM monitor_environments WHERE ${due} LIMIT 1`, { asOf }) === undefined) return 0;
      return db.write(() => {
        const downtimes = loadDowntimes(db, asOf - DOWNTIMES_SINCE_MS);
        const rows = db.all<EnvironmentRow & { nextDueAt: number | null }>(
          `SELECT monitor_id AS monitorId, environment, next_due_at AS nextDueAt FROM monitor_environments
           WHERE ${due} ORDER BY check_at LIMIT :limit`,
          { asOf, limit },
        );
        for (const { nextDueAt, ...where } of rows)
          watchEnvironment(db, where, { checkInIds: [], downtimes }, (watcher) => {
            if (nextDueAt === null) watcher.plan(asOf);
            watcher.advance(asOf);
          });
        return rows.length;
      });
    },
    planAgain: async (now) => {
      const rows = db.all<EnvironmentRow>(
        "SELECT monitor_id AS monitorId, environment FROM monitor_environments WHERE next_due_at IS NOT NULL",
      );
      for (const where of rows)
        await db.write(() =>
          watchEnvironment(db, where, { checkInIds: [], downtimes: [] }, (watcher) => watcher.plan(now)),
        );
    },
  };
}

import { createHash } from "node:crypto";
import { toUnwatched } from "../../../domain/uptime/apply-check.ts";
import { LOCATION_LIMITS, listPlaces } from "../../../domain/uptime/uptime-location.ts";
import type { UptimeMonitor, UptimeQuarter } from "../../../domain/uptime/uptime-monitor.ts";
import { groupRows } from "../../sql/columns.ts";
import type { LocationOfToken, UptimeLocationStore, UptimeLocationWork } from "../../state/uptime-location-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { addFindings } from "../findings/findings.ts";
import { COLUMNS, isInScope, listLocationNames, listSilent, type MonitorRow, toMonitor } from "./uptime-rows.ts";
import { saveCheck } from "./uptime-work.ts";

const SELECT = `SELECT l.id, l.name, l.token_id AS tokenId, t.hint AS tokenHint, l.created_at AS createdAt,
    l.last_seen_at AS lastSeenAt, l.silent_since AS silentSince, l.version
  FROM uptime_locations AS l LEFT JOIN api_tokens AS t ON t.id = l.token_id AND t.revoked_at IS NULL`;

/** A condition on monitors that name a location. A monitor names at most ten. Takes `:locationId`. */
const NAMES_IT = "EXISTS (SELECT 1 FROM json_each(settings, '$.locationIds') WHERE value = :locationId)";

export function createUptimeLocationStore(db: SqliteConnection): UptimeLocationStore {
  const read = (id: number) => db.get<LocationOfToken>(`${SELECT} WHERE l.id = :id`, { id }) ?? null;
  return {
    listUptimeLocations: async () =>
      db.all<LocationOfToken>(`${SELECT} ORDER BY name_key(l.name), l.id LIMIT ${LOCATION_LIMITS.locations}`),
    createUptimeLocation: ({ name, tokenId, now }) =>
      db.write(() => {
        const { count } = db.get<{ count: number }>("SELECT count(*) AS count FROM uptime_locations") ?? { count: 0 };
        if (count >= LOCATION_LIMITS.locations) return "full";
        if (db.get("SELECT 1 FROM uptime_locations WHERE name = :name", { name })) return "taken";
        const { insertedId } = db.run(
          `INSERT INTO uptime_locations (name, token_id, created_at, silent_since) VALUES (:name, :tokenId, :now, :now)`,
          { name, tokenId, now },
        );
        db.note({ action: "uptime-location.create", target: { kind: "uptime location", id: insertedId, name } });
        const location = read(insertedId);
        if (location === null) throw new Error("the database gave no row for the location that was inserted");
        return location;
      }),
    setUptimeLocationToken: (locationId, tokenId) =>
      db.write(() => {
        const location = read(locationId);
        if (location === null) return null;
        db.run("UPDATE uptime_locations SET token_id = :tokenId WHERE id = :locationId", { locationId, tokenId });
        db.note({ action: "uptime-location.token", target: toTarget(location) });
        return { formerTokenId: location.tokenId };
      }),
    deleteUptimeLocation: (scope, locationId) =>
      db.write(() => {
        const location = read(locationId);
        if (location === null) return null;
        const monitors = listOf(db, locationId);
        const used = monitors.filter(({ settings }) => listPlaces(settings).length === 1);
        if (used.length > 0) {
          const seen = used.filter((each) => isInScope(scope, each));
          return { used: { names: seen.map(({ settings }) => settings.name), count: used.length } };
        }
        for (const { id, settings } of monitors) {
          const locationIds = settings.locationIds.filter((each) => each !== locationId);
          db.run("UPDATE uptime_monitors SET settings = :settings WHERE id = :id", {
            id,
            settings: JSON.stringify({ ...settings, locationIds }),
          });
        }
        db.run("DELETE FROM uptime_place_quarters WHERE location_id = :locationId", { locationId });
        db.run("DELETE FROM uptime_checks WHERE location_id = :locationId", { locationId });
        db.run("DELETE FROM uptime_locations WHERE id = :locationId", { locationId });
        db.note({ action: "uptime-location.delete", target: toTarget(location) });
        return { formerTokenId: location.tokenId };
      }),
    listPlaceQuarters: async (scope, monitorId, fromQuarter) => {
      const rows = db.all<UptimeQuarter & { locationId: number; projectId: number; sumMs: number }>(
        `SELECT q.location_id AS locationId, m.project_id AS projectId, q.quarter, q.checks, q.failed, q.sum_ms AS sumMs, q.max_ms AS maxMs
         FROM uptime_place_quarters AS q CROSS JOIN uptime_monitors AS m ON m.id = q.monitor_id
         WHERE q.monitor_id = :monitorId AND q.quarter >= :fromQuarter ORDER BY q.location_id, q.quarter`,
        { monitorId, fromQuarter },
      );
      return groupRows(
        rows.filter((row) => isInScope(scope, row)),
        ({ locationId, projectId: _, sumMs, maxMs, ...row }): [number, UptimeQuarter] => {
          const answered = row.checks - row.failed;
          const times = answered > 0 ? { meanMs: sumMs / answered, maxMs } : { meanMs: null, maxMs: null };
          return [locationId, { ...row, ...times }];
        },
      );
    },
  };
}

export function createUptimeLocationWork(db: SqliteConnection): UptimeLocationWork {
  return {
    findLocationOfToken: async (tokenId) =>
      db.get<LocationOfToken>(`${SELECT} WHERE l.token_id = :tokenId`, { tokenId }) ?? null,
    noteLocationSeen: (locationId, { now, version }) =>
      db.write(() => {
        const before = db.get<{ silentSince: number | null }>(
          "SELECT silent_since AS silentSince FROM uptime_locations WHERE id = :locationId",
          { locationId },
        );
        db.run(
          "UPDATE uptime_locations SET last_seen_at = :now, silent_since = NULL, version = :version WHERE id = :locationId",
          { locationId, now, version },
        );
        return before !== undefined && before.silentSince !== null;
      }),
    listMonitorsOf: async (locationId) =>
      listOf(db, locationId)
        .filter(({ isPaused }) => !isPaused)
        .map((monitor) => ({ monitor, settingsKey: toKey(monitor) })),
    saveLocationCheck: (locationId, { monitorId, settingsKey, check }) =>
      db.write(() => {
        const row = db.get<MonitorRow>(
          `SELECT ${COLUMNS} FROM uptime_monitors WHERE id = :monitorId AND is_paused = 0 AND ${NAMES_IT}`,
          { monitorId, locationId },
        );
        if (row === undefined) return false;
        const monitor = toMonitor(row);
        if (toKey(monitor) !== settingsKey) return false;
        // The answer to it was lost, so the location sent it again.
        const known = db.get(
          "SELECT 1 FROM uptime_checks WHERE monitor_id = :monitorId AND location_id = :locationId AND trace_id = :traceId",
          { monitorId, locationId, traceId: check.traceId },
        );
        const last = monitor.state.places.find((each) => each.locationId === locationId)?.lastCheckAt ?? 0;
        if (known || check.at < last + LOCATION_LIMITS.minGapMs) return false;
        saveCheck(db, monitor, check, locationId);
        return true;
      }),
    markSilentLocations: async (now, before) => {
      const quiet = "silent_since IS NULL AND last_seen_at < :before";
      // A read first, because it does not wait for writers: usually there is none.
      if (db.get(`SELECT 1 FROM uptime_locations WHERE ${quiet}`, { before }) === undefined) return [];
      return db.write(() => {
        const names = db.all<{ name: string }>(`SELECT name FROM uptime_locations WHERE ${quiet}`, { before });
        db.run(`UPDATE uptime_locations SET silent_since = last_seen_at WHERE ${quiet}`, { before });
        forgetUnwatched(db, now);
        return names.map(({ name }) => name);
      });
    },
  };
}

/**
 * Marks monitors that no location checks as unknown, within a write transaction. A monitor that is down stays down with its issue, because
 * nobody has seen it up.
 */
function forgetUnwatched(db: SqliteConnection, now: number): void {
  const silent = listSilent(db);
  const names = listLocationNames(db);
  const rows = db.all<MonitorRow>(
    `SELECT ${COLUMNS} FROM uptime_monitors
     WHERE is_paused = 0 AND json_array_length(settings, '$.locationIds') > 0 AND state ->> 'status' IN ('up', 'confirming')`,
  );
  for (const monitor of rows.map(toMonitor)) {
    if (!listPlaces(monitor.settings).every((id) => silent.has(id))) continue;
    db.run("UPDATE uptime_monitors SET state = :state WHERE id = :id", {
      id: monitor.id,
      state: JSON.stringify({ ...monitor.state, status: "unknown", since: now }),
    });
    addFindings(db, [toUnwatched(monitor, now, names)]);
  }
}

function listOf(db: SqliteConnection, locationId: number): UptimeMonitor[] {
  return db
    .all<MonitorRow>(`SELECT ${COLUMNS} FROM uptime_monitors WHERE ${NAMES_IT} ORDER BY id`, { locationId })
    .map(toMonitor);
}

function toKey({ settings }: UptimeMonitor): string {
  return createHash("sha256").update(JSON.stringify(settings)).digest("base64url").slice(0, 16);
}

function toTarget({ id, name }: { id: number; name: string }) {
  return { kind: "uptime location", id, name } as const;
}

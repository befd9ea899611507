import type { AuditFields } from "../../../domain/audit/audit-entry.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import { DAY_MS } from "../../../domain/time.ts";
import {
  isUnwatched,
  toCertificateSubject,
  toSubject,
  toUnwatchedSubject,
} from "../../../domain/uptime/apply-check.ts";
import { formatAssertion } from "../../../domain/uptime/assertion.ts";
import type { UptimeDay } from "../../../domain/uptime/status-page.ts";
import {
  NO_STATE,
  nameTarget,
  type PlacedCheck,
  QUARTER_MS,
  UPTIME_LIMITS,
  type UptimeMonitor,
  type UptimeOutage,
  type UptimeQuarter,
  type UptimeSettings,
} from "../../../domain/uptime/uptime-monitor.ts";
import { asFields, groupRows } from "../../sql/columns.ts";
import { MAX_RECENT_CHECKS, type UptimeStore } from "../../state/uptime-store.ts";
import { nameProjects } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";
import { addFindings } from "../findings/findings.ts";
import { COLUMNS, closeOutage, type MonitorRow, readMonitor, toDueAt, toMonitor } from "./uptime-rows.ts";

const QUARTERS_OF_DAY = DAY_MS / QUARTER_MS;
const OF_SCOPE = "project_id IN (SELECT value FROM json_each(:projectIds))";

export function createUptimeStore(db: SqliteConnection): UptimeStore {
  const get = (scope: Scope, id: number) => {
    const monitor = readMonitor(db, id);
    return monitor && includesProject(scope, monitor.projectId) ? monitor : null;
  };
  const change = (scope: Scope, id: number, act: (monitor: UptimeMonitor) => void) =>
    db.write(() => {
      const monitor = get(scope, id);
      if (monitor === null) return false;
      act(monitor);
      return true;
    });

  return {
    listUptimeMonitors: async (scope, { text = "", projectId }) =>
      db
        .all<MonitorRow>(
          `SELECT ${COLUMNS} FROM uptime_monitors
           WHERE ${OF_SCOPE} AND (:projectId IS NULL OR project_id = :projectId)
             AND (:text = '' OR instr(lower(settings ->> 'name'), :text) > 0
               OR instr(lower(coalesce(settings ->> '$.target.url', settings ->> '$.target.host')), :text) > 0)
           ORDER BY is_paused, state ->> 'status' <> 'down', name_key(settings ->> 'name'), id LIMIT :limit`,
          {
            projectIds: JSON.stringify(scope.projectIds),
            projectId: projectId ?? null,
            text: text.trim().toLowerCase(),
            limit: UPTIME_LIMITS.monitors,
          },
        )
        .map(toMonitor),
    getUptimeMonitor: async (scope, monitorId) => get(scope, monitorId),
    createUptimeMonitor: (scope, projectId, settings, now) =>
      db.write(() => {
        if (!includesProject(scope, projectId)) return null;
        const count = db.get<{ count: number }>("SELECT count(*) AS count FROM uptime_monitors")?.count ?? 0;
        if (count >= UPTIME_LIMITS.monitors) return null;
        const { insertedId } = db.run(
          `INSERT INTO uptime_monitors (project_id, settings, state, created_at, next_check_at)
           VALUES (:projectId, :settings, :state, :now, :dueAt)`,
          {
            projectId,
            settings: JSON.stringify(settings),
            state: JSON.stringify(NO_STATE),
            now,
            dueAt: toDueAt(settings, now),
          },
        );
        note(db, "uptime.create", { id: insertedId, projectId }, { after: settings });
        return readMonitor(db, insertedId);
      }),
    saveUptimeSettings: (scope, monitorId, settings, now) =>
      change(scope, monitorId, (monitor) => {
        const isOther = JSON.stringify(monitor.settings.target) !== JSON.stringify(settings.target);
        if (isOther) endTroubles(db, monitor, now, "another address is checked");
        db.run(
          `UPDATE uptime_monitors SET settings = :settings, next_check_at = :dueAt,
             state = CASE WHEN :isOther THEN :noState ELSE state END WHERE id = :monitorId`,
          {
            monitorId,
            settings: JSON.stringify(settings),
            dueAt: toDueAt(settings, now),
            isOther: Number(isOther),
            noState: JSON.stringify(NO_STATE),
          },
        );
        note(db, "uptime.edit", monitor, { before: monitor.settings, after: settings });
      }),
    pauseUptimeMonitor: (scope, monitorId, isPaused, now) =>
      change(scope, monitorId, (monitor) => {
        if (monitor.isPaused === isPaused) return;
        if (isPaused) endTroubles(db, monitor, now, "nobody checks it any more");
        db.run(
          "UPDATE uptime_monitors SET is_paused = :isPaused, state = :state, next_check_at = :dueAt WHERE id = :monitorId",
          {
            monitorId,
            isPaused: Number(isPaused),
            state: JSON.stringify(NO_STATE),
            dueAt: toDueAt(monitor.settings, now),
          },
        );
        note(db, "uptime.edit", monitor, {
          before: { ...monitor.settings, paused: monitor.isPaused },
          after: { ...monitor.settings, paused: isPaused },
        });
      }),
    deleteUptimeMonitor: (scope, monitorId) =>
      change(scope, monitorId, (monitor) => {
        endTroubles(db, monitor, monitor.state.lastCheckAt ?? monitor.createdAt, "nobody checks it any more");
        db.run("DELETE FROM uptime_monitors WHERE id = :monitorId", { monitorId });
        note(db, "uptime.delete", monitor, { before: monitor.settings });
      }),
    listUptimeQuarters: async (scope, monitorIds, fromQuarter) => {
      const rows = db.all<UptimeQuarter & { monitorId: number; sumMs: number }>(
        `SELECT monitor_id AS monitorId, quarter, checks, failed, sum_ms AS sumMs, max_ms AS maxMs
         FROM uptime_quarters WHERE monitor_id IN (SELECT value FROM json_each(:ids)) AND quarter >= :fromQuarter
           AND monitor_id IN (SELECT id FROM uptime_monitors WHERE ${OF_SCOPE})
         ORDER BY monitor_id, quarter`,
        { ids: JSON.stringify(monitorIds), fromQuarter, projectIds: JSON.stringify(scope.projectIds) },
      );
      return groupRows(rows, ({ monitorId, sumMs, maxMs, ...row }): [number, UptimeQuarter] => {
        const answered = row.checks - row.failed;
        return [
          monitorId,
          { ...row, meanMs: answered > 0 ? sumMs / answered : null, maxMs: answered > 0 ? maxMs : null },
        ];
      });
    },
    listUptimeDays: async (scope, monitorIds, fromDay) => {
      const rows = db.all<UptimeDay & { monitorId: number }>(
        `SELECT monitor_id AS monitorId, quarter / ${QUARTERS_OF_DAY} AS day, sum(checks) AS checks, sum(failed) AS failed
         FROM uptime_quarters WHERE monitor_id IN (SELECT value FROM json_each(:ids)) AND quarter >= :fromQuarter
           AND monitor_id IN (SELECT id FROM uptime_monitors WHERE ${OF_SCOPE})
         GROUP BY 1, 2 ORDER BY 1, 2`,
        {
          ids: JSON.stringify(monitorIds),
          fromQuarter: fromDay * QUARTERS_OF_DAY,
          projectIds: JSON.stringify(scope.projectIds),
        },
      );
      return groupRows(rows, ({ monitorId, ...day }): [number, UptimeDay] => [monitorId, day]);
    },
    listUptimeOutages: async (scope, monitorId, limit) =>
      get(scope, monitorId) === null
        ? []
        : db.all<UptimeOutage>(
            `SELECT started_at AS startedAt, ended_at AS endedAt, reason FROM uptime_outages
             WHERE monitor_id = :monitorId ORDER BY started_at DESC LIMIT :limit`,
            { monitorId, limit },
          ),
    listUptimeChecks: async (scope, monitorId) =>
      get(scope, monitorId) === null
        ? []
        : db.all<PlacedCheck>(
            `SELECT ${asFields("location_id, at, duration_ms, reason, http_status, certificate_ends_at, trace_id")} FROM uptime_checks
             WHERE monitor_id = :monitorId ORDER BY at DESC, location_id LIMIT :limit`,
            { monitorId, limit: MAX_RECENT_CHECKS },
          ),
  };
}

/** Ends the troubles of a monitor that is deleted or paused, because no later check can end them. */
function endTroubles(db: SqliteConnection, { id, projectId, state }: UptimeMonitor, at: number, reason: string): void {
  closeOutage(db, id, at);
  const end = (subject: string) => addFindings(db, [{ kind: "recovery", projectId, subject, at, reason }]);
  if (state.status === "down") end(toSubject(id));
  if (isUnwatched(state)) end(toUnwatchedSubject(id));
  if (state.certificateToldOf !== null) end(toCertificateSubject(id));
}

function note(
  db: SqliteConnection,
  action: "uptime.create" | "uptime.edit" | "uptime.delete",
  { id, projectId }: { id: number; projectId: number },
  { before, after }: { before?: NotedSettings; after?: NotedSettings },
): void {
  const [project] = nameProjects(db, [projectId]);
  db.note({
    action,
    target: { kind: "uptime monitor", id, name: `${(after ?? before)?.name} (${project ?? `project ${projectId}`})` },
    ...(before && { before: toFields(before) }),
    ...(after && { after: toFields(after) }),
  });
}

type NotedSettings = UptimeSettings & { paused?: boolean };

/** The fields of a monitor in the audit log. Headers and bodies may have secrets, so it says only that there are some. */
function toFields({ target, assertions, paused, ...settings }: NotedSettings): AuditFields {
  return {
    ...settings,
    address: nameTarget(target),
    assertions: assertions.map(formatAssertion),
    ...(target.kind === "http" && {
      method: target.method,
      headers: target.headers.map(([name]) => name),
      body: target.body === "" ? "none" : `${target.body.length} characters`,
    }),
    ...(paused !== undefined && { paused }),
  };
}

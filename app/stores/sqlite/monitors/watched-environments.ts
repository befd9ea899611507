import type { MonitorConfig, Run } from "../../../domain/monitor.ts";
import {
  type Downtime,
  RunWatcher,
  type Watch,
  type WatchedEnvironment,
  type WatchResult,
} from "../../../domain/monitors/watch-runs.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import { MAX_OUTPUTS, MAX_RUNS } from "../../state/monitor-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { addFindings } from "../findings/findings.ts";

/** Old rows are deleted once in this many inserts, so that the others do not search for them. */
const TRIM_EVERY = 16;

export const RUN_COLUMNS = asFields(
  "r.id, r.check_in_id, r.status, r.due_at, r.started_at, r.ended_at, r.duration_ms, r.is_late, r.release, r.trace_id, r.exit_status, r.output",
);

type WatchedRow = Watch & {
  projectId: number;
  slug: string;
  config: string | null;
  isMuted: number;
  isPaused: number;
};

type RunRow = RowOf<Run, { isLate: number }>;

export function toRun<Row extends RunRow>(row: Row): Omit<Row, "isLate"> & { isLate: boolean } {
  return { ...row, isLate: row.isLate === 1 };
}

/** The known state of an environment of a monitor. Null: there is none. */
function loadWatched(
  db: SqliteConnection,
  { monitorId, environment }: { monitorId: number; environment: string },
  { checkInIds, downtimes }: { checkInIds: readonly string[]; downtimes: readonly Downtime[] },
): WatchedEnvironment | null {
  const row = db.get<WatchedRow>(
    `SELECT ${asFields("m.project_id, m.slug, m.config, m.is_muted, e.is_paused, e.next_due_at, e.failures, e.successes, e.trouble_at, e.told_at, e.state")}
     FROM monitors AS m CROSS JOIN monitor_environments AS e ON e.monitor_id = m.id
     WHERE m.id = :monitorId AND e.environment = :environment`,
    { monitorId, environment },
  );
  if (row === undefined) return null;
  const { projectId, slug, config, isMuted, isPaused, ...watch } = row;
  const runs = db.all<RunRow>(
    `SELECT ${RUN_COLUMNS} FROM monitor_runs AS r WHERE r.id IN (
       SELECT id FROM monitor_runs WHERE monitor_id = :monitorId AND environment = :environment AND status = 'in_progress'
       UNION SELECT id FROM monitor_runs WHERE monitor_id = :monitorId AND environment = :environment
         AND check_in_id IN (SELECT value FROM json_each(:checkInIds))
       UNION SELECT max(id) FROM monitor_runs WHERE monitor_id = :monitorId AND environment = :environment)
     ORDER BY r.id`,
    { monitorId, environment, checkInIds: JSON.stringify(checkInIds) },
  );
  return {
    monitor: { id: monitorId, projectId, slug, environment },
    config: config === null ? null : (JSON.parse(config) as MonitorConfig),
    isMuted: isMuted === 1,
    isPaused: isPaused === 1,
    watch,
    runs: runs.map(toRun),
    downtimes,
  };
}

/** Lets `work` decide about an environment, and saves the result. Within a write transaction. */
export function watchEnvironment(
  db: SqliteConnection,
  where: { monitorId: number; environment: string },
  known: { checkInIds: readonly string[]; downtimes: readonly Downtime[] },
  work: (watcher: RunWatcher, environment: WatchedEnvironment) => void,
): void {
  const environment = loadWatched(db, where, known);
  if (environment === null) return;
  const watcher = new RunWatcher(environment);
  work(watcher, environment);
  saveResult(db, where, watcher.result());
}

function saveResult(
  db: SqliteConnection,
  { monitorId, environment }: { monitorId: number; environment: string },
  { watch, checkAt, runs, findings }: WatchResult,
): void {
  db.run(
    `UPDATE monitor_environments SET next_due_at = :nextDueAt, failures = :failures, successes = :successes,
       trouble_at = :troubleAt, told_at = :toldAt, state = :state, check_at = :checkAt
     WHERE monitor_id = :monitorId AND environment = :environment`,
    { ...watch, checkAt, monitorId, environment },
  );
  let newest = 0;
  for (const { id, ...run } of runs) {
    const values = { ...run, isLate: run.isLate ? 1 : 0 };
    if (id !== null) {
      db.run(
        `UPDATE monitor_runs SET check_in_id = :checkInId, status = :status, due_at = :dueAt, started_at = :startedAt,
           ended_at = :endedAt, duration_ms = :durationMs, is_late = :isLate, release = :release, trace_id = :traceId,
           exit_status = :exitStatus, output = :output
         WHERE id = :id`,
        { ...values, id },
      );
      continue;
    }
    newest = db.run(
      `INSERT INTO monitor_runs (monitor_id, environment, check_in_id, status, due_at, started_at, ended_at, duration_ms,
         is_late, release, trace_id, exit_status, output)
       VALUES (:monitorId, :environment, :checkInId, :status, :dueAt, :startedAt, :endedAt, :durationMs, :isLate, :release,
         :traceId, :exitStatus, :output)`,
      { ...values, monitorId, environment },
    ).insertedId;
  }
  if (newest > 0 && (newest % TRIM_EVERY === 0 || runs.length > TRIM_EVERY)) trim(db, { monitorId, environment });
  if (runs.some(({ output }) => output !== null)) trimOutputs(db, { monitorId, environment });
  addFindings(db, findings);
}

function trim(db: SqliteConnection, where: { monitorId: number; environment: string }): void {
  db.run(
    `DELETE FROM monitor_runs WHERE monitor_id = :monitorId AND environment = :environment AND id <= (
       SELECT id FROM monitor_runs WHERE monitor_id = :monitorId AND environment = :environment
       ORDER BY id DESC LIMIT 1 OFFSET ${MAX_RUNS})`,
    where,
  );
}

function trimOutputs(db: SqliteConnection, where: { monitorId: number; environment: string }): void {
  db.run(
    `UPDATE monitor_runs SET output = NULL
     WHERE monitor_id = :monitorId AND environment = :environment AND output IS NOT NULL AND id <= (
       SELECT id FROM monitor_runs WHERE monitor_id = :monitorId AND environment = :environment AND output IS NOT NULL
       ORDER BY id DESC LIMIT 1 OFFSET ${MAX_OUTPUTS})`,
    where,
  );
}

export function loadDowntimes(db: SqliteConnection, since: number): Downtime[] {
  return db.all<Downtime>(
    `SELECT from_at AS "from", to_at AS "to" FROM server_downtimes WHERE to_at > :since ORDER BY from_at`,
    { since },
  );
}

import { asFields, type RowOf } from "../../sql/columns.ts";
import type { JobRow, JobStore } from "../../state/job-store.ts";
import type { SqliteConnection } from "../connection.ts";

const MAX_MESSAGE_LENGTH = 1_000;
const COLUMNS = asFields(
  "name, owner, leased_until, runs, failures, last_started_at, last_duration_ms, next_due_at, last_failed_at, last_failure",
);

type StoredJob = RowOf<JobRow, { lastFailure: string | null }> & { lastFailedAt: number | null };

export function createJobStore(db: SqliteConnection): JobStore {
  return {
    lease: ({ owner, names, now, until }) =>
      db.write(() =>
        db
          .all<{ name: string }>(
            `INSERT INTO jobs (name, owner, leased_until)
             SELECT value, :owner, :until FROM json_each(:names) WHERE true
             ON CONFLICT DO UPDATE SET owner = excluded.owner, leased_until = excluded.leased_until
             WHERE owner IS NULL OR owner = excluded.owner OR leased_until <= :now
             RETURNING name`,
            { owner, until, now, names: JSON.stringify(names) },
          )
          .map(({ name }) => name),
      ),
    releaseLeases: async (owner) => {
      // A read first, because a start must not wait for another process that writes.
      if (db.get("SELECT 1 FROM jobs WHERE owner = ifnull(:owner, owner) LIMIT 1", { owner }) === undefined) return;
      await db.write(() =>
        db.run("UPDATE jobs SET owner = NULL, leased_until = NULL WHERE owner = ifnull(:owner, owner)", { owner }),
      );
    },
    saveRuns: (runs) =>
      db.write(() => {
        for (const { name, lastFailure, ...run } of runs) {
          db.run(
            `INSERT INTO jobs (name, runs, failures, last_started_at, last_duration_ms, next_due_at)
             VALUES (:name, :runs, :failures, :startedAt, :durationMs, :nextDueAt)
             ON CONFLICT DO UPDATE SET runs = runs + excluded.runs, failures = failures + excluded.failures,
               last_started_at = excluded.last_started_at, last_duration_ms = excluded.last_duration_ms,
               next_due_at = excluded.next_due_at`,
            { ...run, name },
          );
          if (lastFailure === null) continue;
          db.run("UPDATE jobs SET last_failed_at = :at, last_failure = :message WHERE name = :name", {
            name,
            at: lastFailure.at,
            message: lastFailure.message.slice(0, MAX_MESSAGE_LENGTH),
          });
        }
      }),
    listJobs: async () => db.all<StoredJob>(`SELECT ${COLUMNS} FROM jobs ORDER BY name LIMIT 1000`).map(toJobRow),
  };
}

function toJobRow({ lastFailedAt: at, lastFailure: message, ...row }: StoredJob): JobRow {
  return { ...row, lastFailure: at === null || message === null ? null : { at, message } };
}

import { deflateSync, inflateSync } from "node:zlib";
import { EXAMPLE_LIFE_MS, type FilteredExample } from "../../../domain/filters/filtered-example.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import type { FilteredEvent, StateBatch } from "../../state/batch-store.ts";
import type { ListedExample } from "../../state/rule-store.ts";
import type { SqliteConnection } from "../connection.ts";

const LISTED = "project_id AS projectId, reason, event_id AS eventId, title, received_at AS receivedAt";

export function listExamples(
  db: SqliteConnection,
  scope: Scope,
  { projectId, since }: { projectId: number; since: number },
): ListedExample[] {
  if (!includesProject(scope, projectId)) return [];
  return db.all<ListedExample>(
    `SELECT ${LISTED} FROM filtered_examples
     WHERE project_id = :projectId AND received_at >= :since ORDER BY reason`,
    { projectId, since },
  );
}

export function getExample(
  db: SqliteConnection,
  scope: Scope,
  { projectId, reason, since }: { projectId: number; reason: string; since: number },
): FilteredExample | null {
  if (!includesProject(scope, projectId)) return null;
  const row = db.get<ListedExample & { payload: Uint8Array }>(
    `SELECT ${LISTED}, payload FROM filtered_examples
     WHERE project_id = :projectId AND reason = :reason AND received_at >= :since`,
    { projectId, reason, since },
  );
  return row === undefined ? null : { ...row, payload: inflateSync(row.payload).toString("utf8") };
}

/** Saves the latest example of each filter, within a write transaction. */
export function saveExamples(db: SqliteConnection, filtered: readonly FilteredEvent[]): void {
  for (const { projectId, reason, eventId, receivedAt, example } of filtered) {
    if (example === null) continue;
    db.run(
      `INSERT INTO filtered_examples (project_id, reason, event_id, title, received_at, payload)
       VALUES (:projectId, :reason, :eventId, :title, :receivedAt, :payload)
       ON CONFLICT DO UPDATE SET event_id = excluded.event_id, title = excluded.title,
         received_at = excluded.received_at, payload = excluded.payload`,
      { projectId, reason, eventId, title: example.title, receivedAt, payload: deflateSync(example.payload) },
    );
  }
}

/** Drops old examples within a write transaction. Returns how many. */
export function dropOldExamples(db: SqliteConnection, now: number): number {
  const before = now - EXAMPLE_LIFE_MS;
  return db.run("DELETE FROM filtered_examples WHERE received_at < :before", { before }).changedRows;
}

/** Drops all examples of these projects, without searching them for people. Within a write transaction. */
export function dropExamples(db: SqliteConnection, projectIds: readonly number[]): number {
  return db.run("DELETE FROM filtered_examples WHERE project_id IN (SELECT value FROM json_each(:ids))", {
    ids: JSON.stringify(projectIds),
  }).changedRows;
}

/** See `BatchStore.listLastFiltered`. */
export function listLastFiltered(db: SqliteConnection, journalId: string): Set<string> {
  const row = db.get<{ filtered: string }>("SELECT filtered FROM last_filtered WHERE journal_id = :journalId", {
    journalId,
  });
  return new Set(row === undefined ? [] : JSON.parse(row.filtered));
}

/** Replaces the saved keys of earlier batches, within a write transaction. */
export function saveLastFiltered(
  db: SqliteConnection,
  { journalId, storedUpTo }: Pick<StateBatch, "journalId" | "storedUpTo">,
  ownKeys: readonly string[],
): void {
  const before = storedUpTo === undefined ? [] : [...listLastFiltered(db, journalId)];
  const unstored = before.filter((key) => Number.parseInt(key, 10) >= (storedUpTo as number));
  const keys = [...new Set([...unstored, ...ownKeys])];
  if (keys.length === 0) {
    db.run("DELETE FROM last_filtered WHERE journal_id = :journalId", { journalId });
    return;
  }
  db.run(
    `INSERT INTO last_filtered (journal_id, filtered) VALUES (:journalId, :filtered)
     ON CONFLICT DO UPDATE SET filtered = excluded.filtered`,
    { journalId, filtered: JSON.stringify(keys) },
  );
}

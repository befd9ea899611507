import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import type { IssueAssignment } from "../../state/batch-store.ts";
import { MAX_OUTBOX_ENTRIES, type OutboxEntry, type OutboxStore } from "../../state/outbox-store.ts";
import type { SqliteConnection } from "../connection.ts";

export function createOutboxStore(db: SqliteConnection): OutboxStore {
  return {
    addReader: async (reader) => {
      // A read first, because a start must not wait for another process that writes.
      if (db.get("SELECT 1 FROM outbox_readers WHERE reader = :reader", { reader }) !== undefined) return;
      await db.write(() =>
        db.run(
          `INSERT OR IGNORE INTO outbox_readers (reader, position)
           SELECT :reader, ifnull(max(position), 0) FROM outbox`,
          { reader },
        ),
      );
    },
    readOutbox: async (reader, limit) =>
      db
        .all<RowOf<OutboxEntry, { told: string | null; feedbackId: number | null }>>(
          `SELECT ${asFields("position, transition, project_id, issue_id, event_id, at, release, told, feedback_id")} FROM outbox
           WHERE position > (SELECT position FROM outbox_readers WHERE reader = :reader)
           ORDER BY position LIMIT :limit`,
          { reader, limit },
        )
        .map(({ feedbackId, ...row }) => ({
          ...row,
          ...(feedbackId !== null && { feedbackId }),
          told: row.told === null ? null : JSON.parse(row.told),
        })),
    passOutbox: (reader, position) => db.write(() => passOutbox(db, reader, position)),
    countOutbox: async () => {
      const counts = db.get<{ entries: number; lost: number }>(
        `SELECT (SELECT count(*) FROM outbox) AS entries, (SELECT ifnull(sum(lost), 0) FROM outbox_readers) AS lost`,
      );
      return { entries: counts?.entries ?? 0, lost: counts?.lost ?? 0 };
    },
  };
}

/** Moves a reader forward within a write transaction, and deletes what all readers have passed. */
export function passOutbox(db: SqliteConnection, reader: string, position: number): void {
  db.run("UPDATE outbox_readers SET position = max(position, :position) WHERE reader = :reader", { reader, position });
  db.run("DELETE FROM outbox WHERE position <= (SELECT min(position) FROM outbox_readers)");
}

/** Writes the transitions of a batch's issues, within its write transaction. */
export function saveTransitions(
  db: SqliteConnection,
  occurrences: readonly IssueOccurrence[],
  assignments: readonly IssueAssignment[],
): void {
  const entries = occurrences.flatMap(({ projectId, eventId, receivedAt, release }, index) => {
    const { transition = null, issueId = 0 } = assignments[index] ?? {};
    return transition === null
      ? []
      : [{ transition, projectId, issueId, eventId, at: Math.floor(receivedAt), release, told: null }];
  });
  addToOutbox(db, entries);
}

/** Call it in the write transaction of what the entries are about. */
export function addToOutbox(db: SqliteConnection, entries: ReadonlyArray<Omit<OutboxEntry, "position">>): void {
  let newest = 0;
  for (const entry of entries) {
    newest = db.run(
      `INSERT INTO outbox (transition, project_id, issue_id, event_id, at, release, told, feedback_id)
       VALUES (:transition, :projectId, :issueId, :eventId, :at, :release, :told, :feedbackId)`,
      { feedbackId: null, ...entry, told: entry.told && JSON.stringify(entry.told) },
    ).insertedId;
  }
  if (newest > 0) dropEntriesUpTo(db, newest - MAX_OUTBOX_ENTRIES);
}

/** Deletes entries up to a position, also unread ones, and counts those as lost for their readers. Usually there are none. */
function dropEntriesUpTo(db: SqliteConnection, upTo: number): void {
  const oldest = db.get<{ position: number | null }>("SELECT min(position) AS position FROM outbox")?.position;
  if (oldest === null || oldest === undefined || oldest > upTo) return;
  db.run(
    `UPDATE outbox_readers SET position = :upTo,
       lost = lost + (SELECT count(*) FROM outbox WHERE outbox.position > outbox_readers.position AND outbox.position <= :upTo)
     WHERE position < :upTo`,
    { upTo },
  );
  db.run("DELETE FROM outbox WHERE position <= :upTo", { upTo });
}

import type { NamedUser } from "../../../domain/named-user.ts";
import type { Cutoffs } from "../../../domain/stored-signal.ts";
import type { SqliteConnection } from "../connection.ts";

// All functions of this file run within a write transaction.

/** Drops feedback together with the items that brought it. */
export function dropFeedbackBefore(db: SqliteConnection, cutoffs: Cutoffs): void {
  const sql = "DELETE FROM feedback WHERE source = :source AND received_at < :before";
  db.run(sql, { source: "feedback", before: Math.ceil(cutoffs.feedback) });
  db.run(sql, { source: "report", before: Math.ceil(cutoffs.errors) });
}

/** Drops feedback that came with the event, and reports about the event. */
export function dropFeedbackOfEvent(db: SqliteConnection, projectId: number, eventId: string): void {
  db.run(
    `DELETE FROM feedback
     WHERE project_id = :projectId AND (event_id = :eventId OR (about_event_id = :eventId AND source = 'report'))`,
    { projectId, eventId },
  );
}

/** `key`: see `toItemKey`. */
export function dropFeedbackOfItem(db: SqliteConnection, projectId: number, key: string): void {
  db.run("DELETE FROM feedback WHERE project_id = :projectId AND item_key = :key", { projectId, key });
}

/** Drops feedback that itself names the user. Other feedback of the user is found by its payload. */
export function dropFeedbackOfUser(
  db: SqliteConnection,
  projectIds: readonly number[],
  { field, value }: NamedUser,
): void {
  if (field !== "email") return;
  db.run(
    `DELETE FROM feedback
     WHERE project_id IN (SELECT value FROM json_each(:projectIds)) AND fold_text(email) = fold_text(:value)`,
    { projectIds: JSON.stringify(projectIds), value },
  );
}

import { asFields } from "../../sql/columns.ts";
import type { EventMove, Regrouping } from "../../state/reprocessing-store.ts";
import type { SqliteConnection } from "../connection.ts";

/** Notes that the events are counted with another issue now, until the event store has moved them. Within a write transaction. */
export function noteEventMoves(
  db: SqliteConnection,
  move: { projectId: number; fromIssueId: number; toIssueId: number; eventIds: string[] },
): void {
  db.run(
    `INSERT OR REPLACE INTO event_moves (project_id, event_id, from_issue_id, to_issue_id)
     SELECT :projectId, value, :fromIssueId, :toIssueId FROM json_each(:eventIds)`,
    { ...move, eventIds: JSON.stringify(move.eventIds) },
  );
}

/** Earlier moves of the issue's events that the event store has not made yet. */
export function readEventMoves(db: SqliteConnection, projectId: number, change: Regrouping): Map<string, number> {
  const eventIds = change.groups.flatMap((group) => group.events.map(({ eventId }) => eventId));
  const rows = db.all<{ eventId: string; toIssueId: number }>(
    `SELECT ${asFields("m.event_id, m.to_issue_id")}
     FROM json_each(:eventIds) AS asked
     CROSS JOIN event_moves AS m ON m.project_id = :projectId AND m.event_id = asked.value
     WHERE m.from_issue_id = :fromIssueId`,
    { projectId, fromIssueId: change.fromIssueId, eventIds: JSON.stringify(eventIds) },
  );
  return new Map(rows.map((row) => [row.eventId, row.toIssueId]));
}

export function listEventMoves(db: SqliteConnection, limit: number): EventMove[] {
  return db.all<EventMove>(
    `SELECT ${asFields("project_id, event_id, from_issue_id, to_issue_id")} FROM event_moves
     ORDER BY project_id, event_id LIMIT :limit`,
    { limit: Math.max(Math.trunc(limit), 0) },
  );
}

/** Within a write transaction. */
export function confirmEventMoves(
  db: SqliteConnection,
  moves: ReadonlyArray<Pick<EventMove, "projectId" | "eventId">>,
): number {
  let confirmed = 0;
  for (const { projectId, eventId } of moves) {
    confirmed += db.run("DELETE FROM event_moves WHERE project_id = :projectId AND event_id = :eventId", {
      projectId,
      eventId,
    }).changedRows;
  }
  return confirmed;
}

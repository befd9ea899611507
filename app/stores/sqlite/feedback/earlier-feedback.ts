import { type AppliedFeedback, MAX_FEEDBACK_OF_PROJECT } from "../../../domain/feedback/feedback.ts";
import type { EarlierFeedback, EarlierFeedbackStore } from "../../state/feedback-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { linkFeedback } from "./feedback.ts";
import { insertFeedback } from "./save-feedback.ts";

export function createEarlierFeedbackStore(db: SqliteConnection): EarlierFeedbackStore {
  return {
    isListed: async () =>
      db.get<{ isListed: number }>("SELECT is_listed AS isListed FROM earlier_feedback")?.isListed === 1,
    listEarlier: (feedback) => db.write(() => listEarlier(db, feedback)),
    noteListed: () => db.write(() => void db.run("UPDATE earlier_feedback SET is_listed = 1")),
  };
}

function listEarlier(db: SqliteConnection, feedback: readonly EarlierFeedback[]): number {
  let listed = 0;
  // Counted once for each project, because counting 50,000 rows takes milliseconds.
  const rooms = new Map<number, number>();
  for (const { link, ...said } of feedback) {
    const room = rooms.get(said.projectId) ?? countRoom(db, said.projectId);
    rooms.set(said.projectId, room);
    if (room === 0 || hasNewerReport(db, said)) continue;
    // The list is ordered by id: earlier feedback gets lower ids, which are negative if necessary.
    const lowest = db.get<{ id: number }>("SELECT min(0, coalesce(min(id), 0)) AS id FROM feedback")?.id ?? 0;
    const saved = insertFeedback(db, said, { id: lowest - 1, isRead: true });
    if (saved === null) continue;
    if (link !== null) linkFeedback(db, [{ id: saved.id, ...link }]);
    rooms.set(said.projectId, room - 1);
    listed += 1;
  }
  return listed;
}

/** How much more feedback a project may have. 0 for a deleted project. */
function countRoom(db: SqliteConnection, projectId: number): number {
  const row = db.get<{ count: number }>(
    `SELECT count(f.id) AS count FROM projects AS p
     LEFT JOIN feedback AS f ON f.project_id = p.id AND f.status IN ('unresolved', 'resolved', 'spam')
     WHERE p.id = :projectId GROUP BY p.id`,
    { projectId },
  );
  return row === undefined ? 0 : Math.max(0, MAX_FEEDBACK_OF_PROJECT - row.count);
}

/** The newest report of an event counts (protocol 4.8). */
function hasNewerReport(db: SqliteConnection, { source, projectId, aboutEventId }: AppliedFeedback): boolean {
  if (source !== "report") return false;
  const newer = db.get(
    "SELECT 1 AS one FROM feedback WHERE project_id = :projectId AND about_event_id = :aboutEventId AND source = 'report'",
    { projectId, aboutEventId },
  );
  return newer !== undefined;
}

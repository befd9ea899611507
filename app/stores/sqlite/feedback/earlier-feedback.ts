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
  for (const { link, ...said } of feedback) {
    if (!hasRoom(db, said.projectId) || hasNewerReport(db, said)) continue;
    // The list goes by ids: what is older gets lower ones, below 0 where there are no others.
    const lowest = db.get<{ id: number }>("SELECT min(0, coalesce(min(id), 0)) AS id FROM feedback")?.id ?? 0;
    const saved = insertFeedback(db, said, { id: lowest - 1, isRead: true });
    if (saved === null) continue;
    if (link !== null) linkFeedback(db, [{ id: saved.id, ...link }]);
    listed += 1;
  }
  return listed;
}

/** A project that was deleted has none. */
function hasRoom(db: SqliteConnection, projectId: number): boolean {
  const row = db.get<{ count: number }>(
    `SELECT count(f.id) AS count FROM projects AS p
     LEFT JOIN feedback AS f ON f.project_id = p.id AND f.status IN ('unresolved', 'resolved', 'spam')
     WHERE p.id = :projectId GROUP BY p.id`,
    { projectId },
  );
  return row !== undefined && row.count < MAX_FEEDBACK_OF_PROJECT;
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

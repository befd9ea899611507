import { type AppliedFeedback, MAX_FEEDBACK_OF_PROJECT } from "../../../domain/feedback/feedback.ts";
import { judgeSpam, SPAM_WINDOW_MS } from "../../../domain/feedback/judge-spam.ts";
import { toItemKey } from "../../events/row-keys.ts";
import type { SqliteConnection } from "../connection.ts";
import { addToOutbox } from "../notifications/outbox.ts";

/** Within a write transaction. */
export function saveFeedback(db: SqliteConnection, feedback: readonly AppliedFeedback[]): void {
  for (const each of feedback) save(db, each);
  for (const projectId of new Set(feedback.map((each) => each.projectId))) dropBeyond(db, projectId);
}

function save(db: SqliteConnection, feedback: AppliedFeedback): void {
  const { projectId, aboutEventId, source, release } = feedback;
  const receivedAt = Math.floor(feedback.receivedAt);
  // The newest report of an event counts (protocol 4.8).
  if (source === "report")
    db.run(
      `DELETE FROM feedback
       WHERE project_id = :projectId AND about_event_id = :aboutEventId AND source = 'report' AND received_at <= :receivedAt`,
      { projectId, aboutEventId, receivedAt },
    );
  const saved = insertFeedback(db, feedback, { id: null, isRead: false });
  if (saved === null || saved.isSpam) return;
  const entry = { transition: "feedback", projectId, issueId: 0, feedbackId: saved.id } as const;
  addToOutbox(db, [{ ...entry, eventId: "", at: receivedAt, release, told: null }]);
}

/** Null: the item is already stored. `id` null: the next id. */
export function insertFeedback(
  db: SqliteConnection,
  { sequence, itemIndex, ...feedback }: AppliedFeedback,
  { id, isRead }: { id: number | null; isRead: boolean },
): { id: number; isSpam: boolean } | null {
  const receivedAt = Math.floor(feedback.receivedAt);
  const spamReason = judge(db, { ...feedback, receivedAt });
  const saved = db.run(
    `INSERT OR IGNORE INTO feedback (
       id, project_id, source, item_key, event_id, about_event_id, trace_id, replay_id, name, email, message, url,
       environment, release, browser, text_hash, sender, received_at, status, spam_reason, is_read)
     VALUES (
       :id, :projectId, :source, :itemKey, :eventId, :aboutEventId, :traceId, :replayId, :name, :email, :message, :url,
       :environment, :release, :browser, :textHash, :sender, :receivedAt, :status, :spamReason, :isRead)`,
    {
      ...feedback,
      id,
      receivedAt,
      itemKey: toItemKey({ sequence, itemIndex, receivedAt: feedback.receivedAt }),
      status: spamReason === null ? "unresolved" : "spam",
      spamReason,
      isRead: isRead ? 1 : 0,
    },
  );
  return saved.changedRows === 0 ? null : { id: saved.insertedId, isSpam: spamReason !== null };
}

function judge(
  db: SqliteConnection,
  { projectId, textHash, sender, receivedAt }: Omit<AppliedFeedback, "sequence" | "itemIndex">,
) {
  if (textHash === null) return null;
  const known = db.get<{ senderCount: number; hasSender: number; marked: number; cleared: number }>(
    `SELECT count(DISTINCT CASE WHEN received_at > :since AND received_at < :until THEN sender END) AS senderCount,
       coalesce(max(received_at > :since AND received_at < :until AND sender = :sender), 0) AS hasSender,
       coalesce(max(spam_reason = 'hand'), 0) AS marked, coalesce(max(is_cleared), 0) AS cleared
     FROM feedback WHERE project_id = :projectId AND text_hash = :textHash`,
    // Feedback that is listed late may have later feedback beside it, so the window goes in both directions.
    { projectId, textHash, sender, since: receivedAt - SPAM_WINDOW_MS, until: receivedAt + SPAM_WINDOW_MS },
  );
  if (known === undefined) return null;
  const isNewSender = sender !== null && known.hasSender === 0;
  return judgeSpam({
    senderCount: known.senderCount + (isNewSender ? 1 : 0),
    isMarked: known.marked === 1,
    isCleared: known.cleared === 1,
  });
}

function dropBeyond(db: SqliteConnection, projectId: number): void {
  const row = db.get<{ count: number }>(
    "SELECT count(*) AS count FROM feedback WHERE project_id = :projectId AND status IN ('unresolved', 'resolved', 'spam')",
    { projectId },
  );
  const beyond = (row?.count ?? 0) - MAX_FEEDBACK_OF_PROJECT;
  if (beyond <= 0) return;
  db.run(
    `DELETE FROM feedback WHERE id IN (
       SELECT id FROM feedback WHERE project_id = :projectId ORDER BY status = 'spam' DESC, id LIMIT :beyond)`,
    { projectId, beyond },
  );
}

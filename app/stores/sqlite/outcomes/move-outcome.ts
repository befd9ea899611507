import type { Outcome } from "../../../domain/outcome.ts";
import { toHour } from "../../../domain/time.ts";
import type { DeletedItem } from "../../events/event-deletion.ts";
import type { SqliteConnection } from "../connection.ts";

/**
 * Moves counts of an hour from one outcome to another, so that each item still counts once. False: the ledger has no such count any more.
 * Within a write transaction.
 */
export function moveOutcome(
  db: SqliteConnection,
  { projectId, category, quantity, receivedAt }: DeletedItem & { projectId: number },
  { from, fromReason = "", to, reason = "" }: { from: Outcome; fromReason?: string; to: Outcome; reason?: string },
): boolean {
  if (quantity === 0) return false;
  const row = { projectId, hour: toHour(receivedAt), category };
  const fromRow = { ...row, from, fromReason };
  const isRow =
    "hour = :hour AND project_id = :projectId AND outcome = :from AND category = :category AND reason = :fromReason";
  const { changedRows } = db.run(
    `UPDATE outcomes SET quantity = quantity - :quantity WHERE ${isRow} AND quantity >= :quantity`,
    { ...fromRow, quantity },
  );
  if (changedRows === 0) return false;
  db.run(`DELETE FROM outcomes WHERE ${isRow} AND quantity = 0`, fromRow);
  db.run(
    `INSERT INTO outcomes (hour, project_id, outcome, category, reason, quantity)
     VALUES (:hour, :projectId, :to, :category, :reason, :quantity)
     ON CONFLICT DO UPDATE SET quantity = quantity + excluded.quantity`,
    { ...row, to, reason, quantity },
  );
  return true;
}

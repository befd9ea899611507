import { toHour } from "../../../domain/time.ts";
import type { DeletedItem } from "../../events/event-deletion.ts";
import type { SqliteConnection } from "../connection.ts";

/**
 * Within a write transaction: what was accepted in an hour is deleted now, so that each item still counts once. Where the ledger has
 * forgotten the hour, nothing is counted.
 */
export function moveToDeleted(
  db: SqliteConnection,
  { projectId, category, quantity, receivedAt }: DeletedItem & { projectId: number },
): void {
  if (quantity === 0) return;
  const key = { projectId, hour: toHour(receivedAt), category, quantity };
  const isRow =
    "hour = :hour AND project_id = :projectId AND outcome = 'accepted' AND category = :category AND reason = ''";
  const { changedRows } = db.run(
    `UPDATE outcomes SET quantity = quantity - :quantity WHERE ${isRow} AND quantity >= :quantity`,
    key,
  );
  if (changedRows === 0) return;
  db.run(`DELETE FROM outcomes WHERE ${isRow} AND quantity = 0`, key);
  db.run(
    `INSERT INTO outcomes (hour, project_id, outcome, category, reason, quantity)
     VALUES (:hour, :projectId, 'deleted', :category, '', :quantity)
     ON CONFLICT DO UPDATE SET quantity = quantity + excluded.quantity`,
    key,
  );
}

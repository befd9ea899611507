import { toHour } from "../../../domain/time.ts";
import { type DamagedItem, type DamageStore, type HeldCount, MAX_DAMAGED_ITEMS } from "../../state/damage-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { moveOutcome } from "./move-outcome.ts";

export function createDamageStore(db: SqliteConnection): DamageStore {
  return {
    noteDamaged: (items) => db.write(() => noteDamaged(db, items)),
    sumHeld: async (hour) =>
      db.all<HeldCount & Record<string, string | number>>(
        `SELECT project_id AS projectId, category, sum(quantity) AS quantity FROM outcomes
         WHERE hour = :hour AND outcome IN ('accepted', 'damaged') AND reason = ''
         GROUP BY project_id, category ORDER BY project_id, category`,
        { hour: toHour(hour) },
      ),
    noteLost: (hour, lost) =>
      db.write(() => {
        let noted = 0;
        for (const each of lost) {
          const isMoved = moveOutcome(
            db,
            { ...each, receivedAt: hour },
            { from: "accepted", to: "damaged", reason: "row_lost" },
          );
          if (isMoved) noted += each.quantity;
        }
        return noted;
      }),
  };
}

function noteDamaged(db: SqliteConnection, items: readonly DamagedItem[]): number {
  const counted = db.get<{ count: number }>("SELECT count(*) AS count FROM damaged_items");
  let room = MAX_DAMAGED_ITEMS - (counted?.count ?? 0);
  let noted = 0;
  for (const item of items) {
    if (room <= 0) break;
    const { projectId, key, receivedAt } = item;
    const { changedRows } = db.run(
      "INSERT OR IGNORE INTO damaged_items (project_id, item_key, hour) VALUES (:projectId, :key, :hour)",
      { projectId, key, hour: toHour(receivedAt) },
    );
    if (changedRows === 0) continue;
    room--;
    noted++;
    moveOutcome(db, item, { from: "accepted", to: "damaged" });
  }
  return noted;
}

/** Within a write transaction: what it counts as until now. What is deleted is not remembered as damaged any more. */
export function takeDamaged(db: SqliteConnection, projectId: number, key: string): "accepted" | "damaged" {
  const taken = db.run("DELETE FROM damaged_items WHERE project_id = :projectId AND item_key = :key", {
    projectId,
    key,
  });
  return taken.changedRows > 0 ? "damaged" : "accepted";
}

/** Within a write transaction: the ledger forgets these hours, too. */
export function dropDamagedBefore(db: SqliteConnection, instantMs: number): number {
  return db.run("DELETE FROM damaged_items WHERE hour < :hour", { hour: toHour(instantMs) }).changedRows;
}

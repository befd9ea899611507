import { toHour } from "../../../domain/time.ts";
import { type DamagedItem, type DamageStore, type HeldCount, MAX_DAMAGED_ITEMS } from "../../state/damage-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { moveOutcome } from "./move-outcome.ts";

export function createDamageStore(db: SqliteConnection): DamageStore {
  return {
    noteDamaged: (items) => db.write(() => noteDamaged(db, items)),
    sumHeld: async (hour) => sumHour(db, hour, "outcome IN ('accepted', 'damaged') AND reason = ''"),
    noteLost: (hour, lost) => moveAll(db, hour, lost, { from: "accepted", to: "damaged", reason: ROW_LOST }),
    sumLost: async (hour) => sumHour(db, hour, `outcome = 'damaged' AND reason = '${ROW_LOST}'`),
    noteFound: (hour, found) => moveAll(db, hour, found, { from: "damaged", fromReason: ROW_LOST, to: "accepted" }),
  };
}

const ROW_LOST = "row_lost";

function sumHour(db: SqliteConnection, hour: number, condition: string): HeldCount[] {
  return db.all<HeldCount & Record<string, string | number>>(
    `SELECT project_id AS projectId, category, sum(quantity) AS quantity FROM outcomes
     WHERE hour = :hour AND ${condition} GROUP BY project_id, category ORDER BY project_id, category`,
    { hour: toHour(hour) },
  );
}

/** Moves the counts of all. Returns how many were moved. */
function moveAll(
  db: SqliteConnection,
  hour: number,
  counts: readonly HeldCount[],
  move: Parameters<typeof moveOutcome>[2],
): Promise<number> {
  return db.write(() => {
    let moved = 0;
    for (const each of counts) if (moveOutcome(db, { ...each, receivedAt: hour }, move)) moved += each.quantity;
    return moved;
  });
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

/** The outcome that counts the item until now. A deleted item is no longer noted as damaged. Within a write transaction. */
export function takeDamaged(db: SqliteConnection, projectId: number, key: string): "accepted" | "damaged" {
  const taken = db.run("DELETE FROM damaged_items WHERE project_id = :projectId AND item_key = :key", {
    projectId,
    key,
  });
  return taken.changedRows > 0 ? "damaged" : "accepted";
}

/** Forgets damaged items of hours that the ledger forgets, too. Within a write transaction. */
export function dropDamagedBefore(db: SqliteConnection, instantMs: number): number {
  return db.run("DELETE FROM damaged_items WHERE hour < :hour", { hour: toHour(instantMs) }).changedRows;
}

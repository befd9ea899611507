import { HOUR_MS } from "../../../domain/time.ts";
import { MAX_REPORT_DELAY_MS } from "../../state/batch-store.ts";
import type { SqliteConnection } from "../connection.ts";

const MAX_DELAY_HOURS = MAX_REPORT_DELAY_MS / HOUR_MS;

/** Of one project, category and hour: so much was refused that no report has spoken of yet. */
interface Refused {
  hour: number;
  quantity: number;
  isChanged: boolean;
}

/** Of one project, by category, which are the server's own words; oldest hour first. */
type RefusedByCategory = Map<string, Refused[]>;

/**
 * What was refused and may be reported again by the SDK it was refused to. Records are to be taken in the order of the
 * journal, and what is left is kept in the transaction of the sums: so a report takes the same however batches are cut,
 * and after a restart.
 */
export class ReportableRefusals {
  readonly #db: SqliteConnection;
  readonly #refusedByProject = new Map<number, RefusedByCategory>();

  constructor(db: SqliteConnection) {
    this.#db = db;
  }

  add(
    { projectId, category, quantity }: { projectId: number; category: string; quantity: number },
    hour: number,
  ): void {
    const byCategory = this.#of(projectId);
    for (const all of byCategory.values()) {
      for (const refused of all) if (isOver(refused, hour)) setQuantity(refused, 0);
    }
    const all = byCategory.get(category) ?? [];
    byCategory.set(category, all);
    let refused = all.find((one) => one.hour === hour);
    if (refused === undefined) {
      refused = { hour, quantity: 0, isChanged: false };
      all.push(refused);
      all.sort((a, b) => a.hour - b.hour);
    }
    setQuantity(refused, Math.min(refused.quantity + quantity, Number.MAX_SAFE_INTEGER));
  }

  /** Takes up to `quantity` from the first of the categories that has some, oldest hour first; gives how much that was. */
  take(
    { projectId, categories, quantity }: { projectId: number; categories: readonly string[]; quantity: number },
    hour: number,
  ): number {
    let left = quantity;
    const byCategory = this.#of(projectId);
    for (const category of categories) {
      for (const refused of byCategory.get(category) ?? []) {
        if (left === 0) return quantity;
        if (isOver(refused, hour)) continue;
        const taken = Math.min(left, refused.quantity);
        setQuantity(refused, refused.quantity - taken);
        left -= taken;
      }
    }
    return quantity - left;
  }

  save(): void {
    for (const [projectId, byCategory] of this.#refusedByProject) {
      for (const [category, all] of byCategory) {
        for (const refused of all) if (refused.isChanged) this.#save(projectId, category, refused);
      }
    }
    this.#refusedByProject.clear();
  }

  #save(projectId: number, category: string, { hour, quantity }: Refused): void {
    const key = { projectId, category, hour };
    if (quantity === 0) {
      this.#db.run(
        "DELETE FROM reportable_refusals WHERE project_id = :projectId AND category = :category AND hour = :hour",
        key,
      );
      return;
    }
    this.#db.run(
      `INSERT INTO reportable_refusals (project_id, category, hour, quantity)
       VALUES (:projectId, :category, :hour, :quantity)
       ON CONFLICT DO UPDATE SET quantity = excluded.quantity`,
      { ...key, quantity },
    );
  }

  #of(projectId: number): RefusedByCategory {
    let byCategory = this.#refusedByProject.get(projectId);
    if (byCategory === undefined) {
      // A day's hours of a dozen categories: a few hundred rows at most.
      const rows = this.#db.all<{ category: string; hour: number; quantity: number }>(
        "SELECT category, hour, quantity FROM reportable_refusals WHERE project_id = :projectId ORDER BY category, hour",
        { projectId },
      );
      byCategory = new Map();
      for (const { category, hour, quantity } of rows) {
        const all = byCategory.get(category) ?? [];
        byCategory.set(category, all);
        all.push({ hour, quantity, isChanged: false });
      }
      this.#refusedByProject.set(projectId, byCategory);
    }
    return byCategory;
  }
}

/** Whether no report that comes in this hour may speak of it any more. */
function isOver(refused: Refused, hour: number): boolean {
  return refused.hour < hour - MAX_DELAY_HOURS;
}

function setQuantity(refused: Refused, quantity: number): void {
  if (refused.quantity === quantity) return;
  refused.quantity = quantity;
  refused.isChanged = true;
}

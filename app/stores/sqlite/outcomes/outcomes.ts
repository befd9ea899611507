import { setImmediate as nextTurn } from "node:timers/promises";
import type { Outcome } from "../../../domain/outcome.ts";
import type { Scope } from "../../../domain/scope.ts";
import { HOUR_MS, toEndHour, toHour } from "../../../domain/time.ts";
import type { ExpiredSum, OutcomeQuery, OutcomeSum } from "../../state/outcome-store.ts";
import type { SqliteConnection } from "../connection.ts";

const DROPPED_HOURS_AT_ONCE = 24;

const COLUMN_OF_GROUP = {
  outcome: "outcome",
  reason: "reason",
  category: "category",
  project: "project_id",
} satisfies Record<OutcomeQuery["groupBy"][number], string>;

export function sumOutcomes(db: SqliteConnection, scope: Scope, query: OutcomeQuery): OutcomeSum[] {
  const { from, to, bucketMs } = query;
  if (bucketMs !== null && (!(bucketMs >= HOUR_MS) || bucketMs % HOUR_MS !== 0)) {
    throw new RangeError(`bucketMs is ${bucketMs}, and must be whole hours`);
  }
  const columns = [...new Set(query.groupBy)].map((group) => COLUMN_OF_GROUP[group]);
  // Not a parameter: SQLite would bind a float, and dividing by it would not round down.
  const groups = [...(bucketMs === null ? [] : [`hour / ${bucketMs / HOUR_MS}`]), ...columns];

  const conditions = ["hour >= :fromHour", "hour < :endHour", "outcome <> 'expired'"];
  const params: Record<string, number | string> = { fromHour: toHour(from), endHour: toEndHour(to) };
  const filters = {
    project_id: scope.projectIds,
    outcome: query.outcomes,
    category: query.categories,
    reason: query.reasons,
  };
  for (const [column, values] of Object.entries(filters)) {
    if (values === undefined) continue;
    conditions.push(`${column} IN (SELECT value FROM json_each(:${column}s))`);
    params[`${column}s`] = JSON.stringify(values);
  }
  const rows = db.all<{
    bucket: number;
    outcome?: Outcome;
    reason?: string;
    category?: string;
    project_id?: number;
    quantity: number;
  }>(
    `SELECT ${[bucketMs === null ? "0 AS bucket" : `${groups[0]} AS bucket`, ...columns].join(", ")},
       CAST(min(total(quantity), ${Number.MAX_SAFE_INTEGER}) AS INTEGER) AS quantity
     FROM outcomes
     WHERE ${conditions.join(" AND ")}
     ${groups.length === 0 ? "" : `GROUP BY ${groups.join(", ")} ORDER BY ${groups.join(", ")}`}`,
    params,
  );
  return rows
    .filter((row) => row.quantity > 0)
    .map((row) => {
      const sum: OutcomeSum = { at: bucketMs === null ? from : row.bucket * bucketMs, quantity: row.quantity };
      if (row.outcome !== undefined) sum.outcome = row.outcome;
      if (row.reason !== undefined) sum.reason = row.reason;
      if (row.category !== undefined) sum.category = row.category;
      if (row.project_id !== undefined) sum.projectId = row.project_id;
      return sum;
    });
}

export function sumExpired(
  db: SqliteConnection,
  scope: Scope,
  { from, to, categories }: Pick<OutcomeQuery, "from" | "to" | "categories">,
): ExpiredSum[] {
  return db.all<ExpiredSum>(
    `SELECT project_id AS projectId, category, reason,
       CAST(min(total(quantity), ${Number.MAX_SAFE_INTEGER}) AS INTEGER) AS quantity
     FROM outcomes
     WHERE hour >= :fromHour AND hour < :endHour AND outcome = 'expired'
       AND project_id IN (SELECT value FROM json_each(:projectIds))
       AND (:categories IS NULL OR category IN (SELECT value FROM json_each(:categories)))
     GROUP BY project_id, category, reason
     ORDER BY quantity DESC, project_id, category, reason`,
    {
      fromHour: toHour(from),
      endHour: toEndHour(to),
      projectIds: JSON.stringify(scope.projectIds),
      categories: categories === undefined ? null : JSON.stringify(categories),
    },
  );
}

/** Drops rows of hours that ended before the instant, a day of them at a time. */
export async function dropOutcomesBefore(db: SqliteConnection, instantMs: number): Promise<number> {
  const endHour = toHour(instantMs);
  let droppedRows = 0;
  for (;;) {
    const oldest = db.get<{ hour: number | null }>("SELECT min(hour) AS hour FROM outcomes");
    const oldestHour = oldest?.hour ?? endHour;
    if (oldestHour >= endHour) return droppedRows;
    const before = Math.min(oldestHour + DROPPED_HOURS_AT_ONCE, endHour);
    const dropped = await db.write(() => {
      db.run("DELETE FROM reported_words WHERE hour < :before", { before });
      db.run("DELETE FROM reportable_refusals WHERE hour < :before", { before });
      return db.run("DELETE FROM outcomes WHERE hour < :before", { before });
    });
    droppedRows += dropped.changedRows;
    await nextTurn();
  }
}

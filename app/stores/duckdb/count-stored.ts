import { type Cutoffs, signalOfCategory } from "../../domain/stored-signal.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { StoredCount, StoredSum } from "../events/event-log.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { DUCKDB_TABLES } from "./duckdb-tables.ts";
import { arrivedBefore, categoryOfRow } from "./signal-conditions.ts";

/** See `EventLog.countExpired`. */
export async function countExpired(database: DuckdbDatabase, cutoffs: Cutoffs, since: Cutoffs): Promise<StoredCount[]> {
  const counts: StoredCount[] = [];
  for (const table of DUCKDB_TABLES) {
    const rows = await database.read(
      `SELECT project_id::DOUBLE AS project_id, ${categoryOfRow(table)} AS category, (${table.quantity})::DOUBLE AS quantity
       FROM ${table.shape.name} WHERE ${arrivedBefore(table, cutoffs)} AND NOT ${arrivedBefore(table, since)}
       GROUP BY ALL ORDER BY ALL`,
    );
    for (const row of rows) {
      const { project_id: projectId, category, quantity } = row;
      if (Number(quantity) === 0) continue;
      counts.push({ projectId: Number(projectId), category: String(category), quantity: Number(quantity) });
    }
  }
  return counts;
}

/** See `EventLog.sumStored`. */
export async function sumStored(database: DuckdbDatabase): Promise<StoredSum[]> {
  const sums = new Map<string, StoredSum>();
  for (const table of DUCKDB_TABLES) {
    const hasPayload = table.shape.lateColumns.includes("payload_file");
    const rows = await database.read(
      `SELECT project_id::DOUBLE AS project_id, ${categoryOfRow(table)} AS category, (received_at // ${DAY_MS})::DOUBLE AS day,
         count(*)::DOUBLE AS row_count, ${hasPayload ? "coalesce(sum(payload_bytes), 0)" : "0"}::DOUBLE AS payload_bytes
       FROM ${table.shape.name} GROUP BY ALL`,
    );
    for (const row of rows) {
      const projectId = Number(row.project_id);
      const signal = signalOfCategory(String(row.category));
      const day = Number(row.day);
      const key = `${projectId} ${signal} ${day}`;
      const sum = sums.get(key) ?? { projectId, signal, day, rows: 0, payloadBytes: 0 };
      sum.rows += Number(row.row_count);
      sum.payloadBytes += Number(row.payload_bytes);
      sums.set(key, sum);
    }
  }
  return [...sums.values()];
}

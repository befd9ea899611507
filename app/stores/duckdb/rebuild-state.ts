import type { DuckDBConnection } from "@duckdb/node-api";
import { newRebuild, type RebuildState } from "../events/event-rebuild.ts";
import { readRows } from "./duckdb-database.ts";

/** Null: no rebuild is under way. */
export async function readRebuildState(connection: DuckDBConnection): Promise<RebuildState | null> {
  const [row] = await readRows(connection, "SELECT state FROM rebuild");
  // A rebuild that an earlier version began starts again (migration 0014).
  return row === undefined ? null : { ...newRebuild("was lost", 0), ...JSON.parse(String(row.state)) };
}

/** Call it in the transaction that writes the rows. */
export async function writeRebuildState(connection: DuckDBConnection, state: RebuildState | null): Promise<void> {
  await connection.run("DELETE FROM rebuild");
  if (state !== null) await connection.run("INSERT INTO rebuild (state) VALUES ($1)", [JSON.stringify(state)]);
}

import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { Times } from "./newest-first.ts";

/** The source of spans of a time, in place of the table: see `DuckdbDatabase.rowsWithin`. */
export function toSource(database: DuckdbDatabase, { from, to }: Times, firstOrdinal: number | null): () => string {
  const range = { fromUs: from * 1000, toUs: to * 1000, firstOrdinal: firstOrdinal ?? 0 };
  return () => database.rowsWithin("spans", [range]);
}

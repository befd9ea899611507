import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { Times } from "./newest-first.ts";

/** SQL for `FROM`: the spans of a time. See `DuckdbDatabase.rowsWithin`. */
export function toSource(database: DuckdbDatabase, { from, to }: Times, firstOrdinal: number | null): () => string {
  const range = { fromUs: from * 1000, toUs: to * 1000, firstOrdinal: firstOrdinal ?? 0 };
  return () => database.rowsWithin("spans", [range]);
}

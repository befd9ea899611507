import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { EnvironmentLog } from "./environment-log.ts";
import type { IdentityIndex } from "./identity-index.ts";

/**
 * Deletes events and items that came before the instant, and items that have expired by `now`. It is the time they came
 * that counts, as for payload files, so that a row never outlives its payload for long.
 */
export async function dropOldRows(
  parts: {
    database: DuckdbDatabase;
    environments: EnvironmentLog;
    indexes: ReadonlyArray<{ index: IdentityIndex; nextOrdinal: () => number }>;
  },
  instantMs: number,
  now: number,
): Promise<number> {
  const { database, indexes, environments } = parts;
  const rowCount = await database.transaction(async (connection) => {
    const before = Math.ceil(instantMs);
    const events = await connection.run("DELETE FROM events WHERE received_at < $1", [before]);
    const items = await connection.run("DELETE FROM items WHERE received_at < $1 OR expires_at <= $2", [
      before,
      Math.floor(now),
    ]);
    await environments.dropBefore(connection, before);
    const forget: Array<() => void> = [];
    for (const { index, nextOrdinal } of indexes)
      forget.push(await index.deleteFiltersOfGone(connection, nextOrdinal()));
    return {
      result: events.rowsChanged + items.rowsChanged,
      onCommit: () => {
        for (const each of forget) each();
      },
    };
  });
  if (rowCount > 0) await database.checkpoint();
  return rowCount;
}

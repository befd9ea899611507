import type { Cutoffs } from "../../domain/stored-signal.ts";
import { EVENTS } from "../events/event-table.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { DUCKDB_TABLES } from "./duckdb-tables.ts";
import type { EnvironmentLog } from "./environment-log.ts";
import { sumTagsAgain } from "./event-tags.ts";
import type { IdentityIndex } from "./identity-index.ts";
import { deleteLongTexts } from "./long-texts.ts";
import { deleteSumsBefore, type RollUp } from "./roll-up.ts";
import { arrivedBefore } from "./signal-conditions.ts";

/**
 * Deletes rows that arrived before the cutoff of their signal, and rows that have expired by `now`. The time of arrival counts, as for
 * payload files, so that a row never outlives its payload for long.
 */
export async function dropOldRows(
  parts: {
    database: DuckdbDatabase;
    environments: EnvironmentLog;
    rollUp: RollUp;
    indexes: ReadonlyArray<{ index: IdentityIndex; nextOrdinal: () => number }>;
  },
  cutoffs: Cutoffs,
  now: number,
): Promise<number> {
  const { database, indexes, environments, rollUp } = parts;
  const rowCount = await database.transaction(async (connection) => {
    let rowCount = 0;
    for (const table of DUCKDB_TABLES) {
      const expired = table.expiresAt === undefined ? "" : ` OR ${table.expiresAt} <= ${Math.floor(now)}`;
      const isGone = `${arrivedBefore(table, cutoffs)}${expired}`;
      const deleteRows = async () => {
        await deleteLongTexts(connection, table.shape, isGone);
        const { rowsChanged } = await connection.run(`DELETE FROM ${table.shape.name} WHERE ${isGone}`);
        rowCount += rowsChanged;
      };
      if (table.shape === EVENTS) await sumTagsAgain(connection, isGone, deleteRows);
      else await deleteRows();
    }
    await deleteSumsBefore(connection, cutoffs);
    await environments.dropBefore(connection, Math.ceil(Math.min(...Object.values(cutoffs))));
    const forget: Array<() => void> = [];
    for (const { index, nextOrdinal } of indexes)
      forget.push(await index.deleteFiltersOfGone(connection, nextOrdinal()));
    return {
      result: rowCount,
      onCommit: () => {
        rollUp.noteDeletion();
        for (const each of forget) each();
      },
    };
  });
  if (rowCount > 0) await database.checkpoint();
  return rowCount;
}

import type { RowBatch } from "../events/event-log.ts";
import type { EventRebuild, RebuildState } from "../events/event-rebuild.ts";
import { isOfOtherDays } from "./day-views.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { DUCKDB_TABLES } from "./duckdb-tables.ts";
import { sumTagsAgain } from "./event-tags.ts";
import type { EventWriter } from "./event-writer.ts";
import { deleteLongTexts } from "./long-texts.ts";
import type { DuckdbMovedDays } from "./moved-days.ts";
import { readPayloadRows } from "./read-payload-rows.ts";
import { writeRebuildState } from "./rebuild-state.ts";
import { deleteSumsOfDays, type RollUp } from "./roll-up.ts";

interface RebuiltStore {
  database: DuckdbDatabase;
  writer: EventWriter;
  rollUp: RollUp;
  movedDays: DuckdbMovedDays;
  /** The state of a rebuild that an earlier process began. Null: there is none. */
  begunWith: RebuildState | null;
}

/** `onBegin`, `onRestored`: rows were deleted or added, so what was read before is out of date. */
export function createEventRebuild(
  { database, writer, rollUp, movedDays, begunWith }: RebuiltStore,
  {
    onBegin,
    onRestored,
    noteWritten,
  }: {
    onBegin: () => void;
    onRestored: () => void;
    noteWritten: (batches: readonly RowBatch[]) => Promise<void>;
  },
): EventRebuild {
  let rebuildState = begunWith;
  return {
    state: () => rebuildState,
    async begin(asked) {
      if (rebuildState !== null) throw new Error("the event store is being rebuilt already");
      const state = { ...asked, upTo: writer.positions() };
      await database.transaction(async (connection) => {
        if (state.received !== null) {
          const { from, to } = state.received;
          const isGone = `received_at >= ${Math.ceil(from)} AND received_at < ${Math.ceil(to)}`;
          await sumTagsAgain(connection, isGone, async () => {
            for (const table of DUCKDB_TABLES) {
              // Day files still have their rows, and the row log does not.
              const isLost = `${isGone} AND ${isOfOtherDays(table.shape.name, movedDays.list())}`;
              await deleteLongTexts(connection, table.shape, isLost);
              await connection.run(`DELETE FROM ${table.shape.name} WHERE ${isLost}`);
            }
          });
          await deleteSumsOfDays(connection, { from, to }, movedDays.list());
        }
        await writeRebuildState(connection, state);
        return { result: undefined, onCommit: () => rollUp.noteDeletion() };
      });
      rebuildState = state;
      onBegin();
    },
    async noteLost(batches, state) {
      await writer.noteLost(batches, state, () => {
        rebuildState = state;
      });
      await noteWritten(batches);
    },
    async reserve(state) {
      rebuildState = await writer.reserve(state);
    },
    async restore(batches, after) {
      if (rebuildState === null) throw new Error("the event store is not being rebuilt");
      await writer.restore(batches, { before: rebuildState, after }, (reached) => {
        rebuildState = reached;
        onRestored();
      });
      await noteWritten(batches);
    },
    async end() {
      await writer.endRebuild(() => {
        rebuildState = null;
      });
      await database.checkpoint();
    },
    rowsOf: (range) => readPayloadRows(database, range),
  };
}

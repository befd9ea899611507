import { rm } from "node:fs/promises";
import { MOVED_SIGNALS } from "../events/moved-days.ts";
import { isHotColumn, toHotColumn } from "./attribute-sql.ts";
import type { DayDamage } from "./day-damage.ts";
import { columnsOfDayFiles, type DayFile, toDayFileName, writeDayFile } from "./day-file.ts";
import type { DayFiles } from "./day-files.ts";
import { toHotCells } from "./day-views.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { HiddenRows } from "./hidden-rows.ts";
import type { HotAttributes } from "./hot-attributes.ts";
import { readDayFiles, toDayFileVersion, toPairedCells, toPairedColumns } from "./paired-ids.ts";

export interface RewrittenParts {
  database: DuckdbDatabase;
  files: DayFiles;
  hidden: HiddenRows;
  damage: DayDamage;
  hot: HotAttributes;
}

/**
 * Writes one file that replaces one file or all files of a day, without hidden rows. Resolves with false if one of the files was removed
 * meanwhile.
 */
export async function rewriteDayFiles(
  { database, files, hidden, damage, hot }: RewrittenParts,
  old: readonly DayFile[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const [first, last] = [old[0] as DayFile, old.at(-1) as DayFile];
  const { table } = MOVED_SIGNALS[first.signal];
  const edition = Math.max(...old.map((file) => file.edition)) + 1;
  const name = toDayFileName(first, edition);
  const draft = await files.makeDraft(name);
  const source = readDayFiles(old);
  // The attributes that are hot now: the new file has columns for them in all its rows.
  const keys = await hot.list(table);
  const head = await database.inBackground(async (connection) => {
    const columns = (await columnsOfDayFiles(connection, source)).filter((column) => !isHotColumn(column));
    const cells = [...toPairedCells(table, columns, "moved"), ...toHotCells(keys)];
    const left = `SELECT ${cells.join(", ")} FROM ${source} AS moved ${hidden.conditionOf(table)}`;
    const again = {
      ...last,
      version: toDayFileVersion(table),
      fromOrdinal: first.fromOrdinal ?? 0,
      positions: toHighest(old.map(({ positions }) => positions)),
      hot: keys,
    };
    const written = [...toPairedColumns(table, columns), ...keys.map(toHotColumn)];
    const waitForMemory = () => database.waitForMemory();
    return writeDayFile(connection, draft, left, written, again, { written: "again", waitForMemory });
  }, signal);
  const isWritten = await database.write(async (connection) => {
    if (!old.every((file) => files.has(file))) return false;
    const { slice, isCleared, isStripped, droppedBefore } = first;
    const state = { slice, edition, isCleared, isStripped, droppedBefore };
    const added = head && (await files.add(draft, name, { ...head, ...state }));
    for (const file of old) files.remove(file);
    if (added) await files.note(connection, added);
    for (const file of old) {
      await files.forget(connection, file.name);
      await hidden.forget(connection, table, file.path, added?.path ?? null);
    }
    await damage.show(table);
    return true;
  });
  if (isWritten) for (const file of old) await files.unlink(file.name);
  else await rm(draft, { force: true });
  return isWritten;
}

function toHighest(all: ReadonlyArray<Readonly<Record<string, number>>>): Record<string, number> {
  const highest: Record<string, number> = {};
  for (const positions of all)
    for (const [journalId, sequence] of Object.entries(positions))
      highest[journalId] = Math.max(highest[journalId] ?? 0, sequence);
  return highest;
}

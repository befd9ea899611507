import { rm } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Cutoffs } from "../../domain/stored-signal.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { SelectedPart } from "../events/event-deletion.ts";
import {
  type DamagedDay,
  type DayOfSignal,
  MOVED_SIGNALS,
  type MovedDay,
  type MovedDays,
  type SliceOfDay,
  toStoredSignal,
} from "../events/moved-days.ts";
import type { PartTable } from "../events/row-keys.ts";
import { toHotColumn } from "./attribute-sql.ts";
import { clearMovedRows } from "./clear-moved-rows.ts";
import { DayDamage } from "./day-damage.ts";
import { type DayFile, isOfDay, toDayFileName, writeDayFile } from "./day-file.ts";
import { DayFiles } from "./day-files.ts";
import { DayViews, LONG_COLUMN, toMovedRows } from "./day-views.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import type { EventWriter } from "./event-writer.ts";
import { findDueDays } from "./find-due-days.ts";
import { HiddenRows } from "./hidden-rows.ts";
import type { HotAttributes } from "./hot-attributes.ts";
import { readDayFiles, toDayFileVersion, toPairedColumns } from "./paired-ids.ts";
import { columnsOfPart, toPart } from "./part-rows.ts";
import { type RewrittenParts, rewriteDayFiles } from "./rewrite-day-files.ts";
import type { RollUp } from "./roll-up.ts";

const SCANNED_AT_ONCE = 5_000;

const TABLES: readonly PartTable[] = ["spans", "logs"];

interface Parts {
  database: DuckdbDatabase;
  writer: EventWriter;
  rollUp: RollUp;
  hot: HotAttributes;
  dir: string;
  minRows: number | undefined;
  sliceRows: number | undefined;
  /** Called when a day file is found damaged while the store is open. */
  onDamagedDay: (day: DamagedDay, reason: string) => void;
}

/** Rows in Parquet files beside the database: one file for a day that is over, and slices of the present day. */
export class DuckdbMovedDays implements MovedDays {
  readonly #parts: Parts;
  readonly #files: DayFiles;
  readonly #hidden: HiddenRows;
  readonly #views: DayViews;
  readonly #damage: DayDamage;

  private constructor(parts: Parts, files: DayFiles, hidden: HiddenRows) {
    this.#parts = parts;
    this.#files = files;
    this.#hidden = hidden;
    this.#views = new DayViews(parts.database, files, hidden);
    this.#damage = new DayDamage({ files, views: this.#views, onSetAside: parts.onDamagedDay });
  }

  static async open(parts: Parts): Promise<DuckdbMovedDays> {
    const { database, writer, dir } = parts;
    const hidden = await HiddenRows.open(database);
    const files = await DayFiles.open(database, dir);
    const days = new DuckdbMovedDays(parts, files, hidden);
    for (const table of TABLES) {
      // Before the first view is defined: a view has more columns than the table.
      await days.#views.columnsOf(table);
      await days.#damage.show(table);
      writer.keepBelow(table, files.nextOrdinal(table));
    }
    database.repairWith((error, hasChanged) => days.#damage.repair(error, hasChanged));
    return days;
  }

  list(): readonly MovedDay[] {
    return this.#files.list();
  }

  listDamaged(): readonly DamagedDay[] {
    return this.#files.listDamaged();
  }

  listReturned(): readonly DayOfSignal[] {
    return this.#files.listReturned();
  }

  forgetReturned(): Promise<void> {
    return this.#files.forgetReturned();
  }

  forgetDamaged(days: readonly DamagedDay[]): Promise<void> {
    return this.#files.forgetDamaged(days);
  }

  checkNext(now: number): Promise<number | null> {
    return this.#damage.checkNext(now);
  }

  /** See `DayFiles.listUnrestored`. */
  listUnrestored(): DamagedDay[] {
    return this.#files.listUnrestored();
  }

  checkDay(of: SliceOfDay): Promise<boolean> {
    return this.#damage.checkDay(of);
  }

  bytesOnDisk(): number {
    return this.#files.bytesOnDisk();
  }

  async listDue(before: number): Promise<DayOfSignal[]> {
    const due = await findDueDays(this.#parts, this.#files, before);
    return due.filter((of) => this.#files.nextSlice(of) !== null);
  }

  async move(of: DayOfSignal, signal?: AbortSignal): Promise<MovedDay | null> {
    const { database, writer, rollUp } = this.#parts;
    const { table } = MOVED_SIGNALS[of.signal];
    const next = this.#files.nextSlice(of);
    // The table may still have rows of an earlier file. They would be written to this one, too.
    if (next === null || this.#files.ofDay(of).some(({ isCleared, isStripped }) => !isCleared || !isStripped))
      return null;
    const { deletions } = rollUp;
    const at = { ...of, ...next, upToOrdinal: writer.nextOrdinal(table), positions: writer.positions() };
    const name = toDayFileName(at, 0);
    const draft = await this.#files.makeDraft(name);
    const columns = await this.#views.columnsOf(table);
    const hot = await this.#parts.hot.list(table);
    const rows = toMovedRows(table, { columns, hot, where: isOfDay(at) });
    const written = [...toPairedColumns(table, columns), LONG_COLUMN, ...hot.map(toHotColumn)];
    const head = await database.inBackground(
      (connection) =>
        writeDayFile(
          connection,
          draft,
          rows,
          written,
          { ...at, hot, version: toDayFileVersion(table) },
          { written: "first", waitForMemory: () => database.waitForMemory() },
        ),
      signal,
    );
    if (head === null) return null;
    // A write, because later deletions must look into the file, too.
    const file = await database.write(async (connection) => {
      if (deletions !== rollUp.deletions) return null;
      const added = await this.#files.add(draft, name, {
        ...head,
        slice: at.slice,
        edition: 0,
        isCleared: false,
        isStripped: false,
        droppedBefore: 0,
      });
      await this.#files.note(connection, added);
      await this.#damage.show(table);
      return added;
    });
    if (file === null) {
      await rm(draft, { force: true });
      return null;
    }
    // Reads from before this see the rows in the table only.
    await database.waitForReads();
    await this.#clear(file, signal);
    return file;
  }

  async finishMoves(): Promise<void> {
    for (const file of [...this.#files.list()]) if (!file.isCleared) await this.#clear(file);
  }

  listSliced(before: number): DayOfSignal[] {
    const damaged = this.#files.listDamaged();
    // A damaged file may be put back between the others.
    const isWhole = ({ day, signal }: DayOfSignal) =>
      this.#files.ofDay({ day, signal }).every(({ isCleared, isStripped }) => isCleared && isStripped) &&
      !damaged.some((each) => each.day === day && each.signal === signal);
    return this.#files
      .list()
      .filter((file) => file.day < before && this.#files.ofDay(file).at(-2) === file && isWhole(file))
      .map(({ day, signal }) => ({ day, signal }));
  }

  async join(of: DayOfSignal, signal?: AbortSignal): Promise<boolean> {
    const files = this.#files.ofDay(of);
    if (files.length < 2) return false;
    return rewriteDayFiles(this.#rewritten, files, signal);
  }

  async noteStripped(of: SliceOfDay): Promise<void> {
    const file = this.#files.find(of);
    if (file) await this.#files.noteStripped(file);
  }

  /**
   * Drops rows that arrived before the instant of their signal. A file is deleted once its whole day is older. Until then, views leave out
   * its dropped rows. Returns the number of rows.
   */
  async dropBefore(cutoffs: Cutoffs): Promise<number> {
    // What is left of damaged files expires with their days.
    const isOver = ({ day, signal }: DayOfSignal) => cutoffs[toStoredSignal(signal)] >= (day + 1) * DAY_MS;
    await this.forgetDamaged(this.listDamaged().filter(isOver));
    let rows = 0;
    for (const file of [...this.#files.list()]) {
      const { day, signal } = file;
      const dropped = Math.min(Math.ceil(cutoffs[toStoredSignal(signal)]), (day + 1) * DAY_MS);
      if (dropped <= Math.max(file.droppedBefore, day * DAY_MS)) continue;
      const { table } = MOVED_SIGNALS[signal];
      const [counted] = await this.#parts.database.read(
        `SELECT count(*)::DOUBLE AS rows FROM ${table} WHERE ${isOfDay(file)} AND received_at < ${dropped}`,
      );
      rows += Number(counted?.rows);
      file.droppedBefore = dropped;
      if (dropped === (day + 1) * DAY_MS) await this.#drop(file);
      else await this.#parts.database.write(() => this.#damage.show(table));
    }
    return rows;
  }

  async erase(signal?: AbortSignal): Promise<number> {
    if (this.#hidden.isEmpty) return 0;
    let written = 0;
    for (const file of [...this.#files.list()]) {
      signal?.throwIfAborted();
      try {
        if (!(await this.#hidden.isIn(MOVED_SIGNALS[file.signal].table, file.path))) continue;
        if (await rewriteDayFiles(this.#rewritten, [file], signal)) written++;
      } catch (error) {
        // The file turned out to be damaged.
        if (this.#files.has(file)) throw error;
      }
    }
    return written;
  }

  async *scan(of: SliceOfDay): AsyncIterable<SelectedPart[]> {
    const file = this.#files.find(of);
    if (!file) return;
    const { table } = MOVED_SIGNALS[of.signal];
    const source = `${readDayFiles([file])} AS ${table}`;
    for (let from = -1; ; ) {
      const sql = `SELECT ${table}.ordinal::DOUBLE AS ordinal, ${columnsOfPart(table)} FROM ${source}
        WHERE ordinal > $1 ORDER BY ordinal LIMIT ${SCANNED_AT_ONCE}`;
      const rows = await this.#parts.database.read(sql, [from]).catch((error: unknown) => {
        // The file turned out to be damaged.
        if (this.#files.has(file)) throw error;
        return [];
      });
      if (rows.length === 0) return;
      yield rows.map((row) => toPart(table, row));
      from = Number(rows.at(-1)?.ordinal);
    }
  }

  /** Hides rows of files, in the transaction that deletes rows of the table. Queries skip them from now on. `erase` removes them later. */
  async hide(connection: DuckDBConnection, table: PartTable, condition: string, values: string[]): Promise<void> {
    const files = this.#files.ofTable(table);
    if (files.length === 0) return;
    this.#hidden.expectSome();
    await this.#damage.show(table);
    const source = readDayFiles(files);
    await this.#hidden.add(connection, table, source, { condition, values });
  }

  /** Hides all rows of a project, and returns how many there were. */
  async hideProject(connection: DuckDBConnection, projectId: number): Promise<number> {
    if (this.#files.list().length === 0 || this.#hidden.hasProject(projectId)) return 0;
    let count = 0;
    for (const table of TABLES) {
      const source = this.#parts.database.sourceOf(table);
      if (source === table) continue;
      const [row] = await readRows(
        connection,
        `SELECT count(*)::DOUBLE AS count FROM ${source} WHERE project_id = $1`,
        [projectId],
      );
      count += Number(row?.count);
    }
    await this.#hidden.addProject(connection, projectId);
    for (const table of TABLES) await this.#damage.show(table);
    return count;
  }

  get #rewritten(): RewrittenParts {
    const { database, hot } = this.#parts;
    return { database, hot, files: this.#files, hidden: this.#hidden, damage: this.#damage };
  }

  async #clear(file: DayFile, signal?: AbortSignal): Promise<void> {
    const { database } = this.#parts;
    await clearMovedRows(database, file, { isThere: () => this.#files.has(file), signal });
    await database.write(async (connection) => {
      if (!this.#files.has(file)) return;
      file.isCleared = true;
      await this.#files.note(connection, file);
      await this.#damage.show(MOVED_SIGNALS[file.signal].table);
    });
    await database.checkpoint();
  }

  async #drop(file: DayFile): Promise<void> {
    await this.#parts.database.write(async (connection) => {
      this.#files.remove(file);
      await this.#damage.show(MOVED_SIGNALS[file.signal].table);
      await this.#files.forget(connection, file.name);
    });
    await this.#files.unlink(file.name);
  }
}

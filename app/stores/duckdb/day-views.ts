import { DAY_MS } from "../../domain/time.ts";
import { type DayOfSignal, MOVED_SIGNALS } from "../events/moved-days.ts";
import type { PartTable } from "../events/row-keys.ts";
import { toAttributeSql, toHotColumn } from "./attribute-sql.ts";
import { type DayFile, isOfDay, quoteSql } from "./day-file.ts";
import type { DayFiles } from "./day-files.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import type { HiddenRows } from "./hidden-rows.ts";
import { LONG_BYTES, LONG_TEXTS } from "./long-texts.ts";
import { readDayFiles, toPairedCells } from "./paired-ids.ts";
import type { RowRange } from "./reader-views.ts";

/** The column of day files for texts that are too long for their own column (see long-texts.ts), joined by `BETWEEN_PARTS`. */
export const LONG_COLUMN = "long_texts";
const BETWEEN_PARTS = "chr(30)";

/** The views that readers use instead of tables. A view has the rows of the table and of its day files, each row once. */
export class DayViews {
  readonly #database: DuckdbDatabase;
  readonly #files: DayFiles;
  readonly #hidden: HiddenRows;
  readonly #columns = new Map<PartTable, string[]>();
  /** Attributes that have or had a column in some file: a statement that began before a file was removed still names its columns. */
  readonly #hot: Readonly<Record<PartTable, Set<string>>> = { spans: new Set(), logs: new Set() };

  constructor(database: DuckdbDatabase, files: DayFiles, hidden: HiddenRows) {
    this.#database = database;
    this.#files = files;
    this.#hidden = hidden;
  }

  /** Defines the views of a table. Call it when a file comes, goes, or has newly hidden rows. */
  async show(table: PartTable): Promise<void> {
    const files = this.#files.ofTable(table);
    for (const { hot = [] } of files) for (const key of hot) this.#hot[table].add(key);
    const hot = [...this.#hot[table]];
    const isTable = files.length === 0 && hot.length === 0;
    const view = { files, hot, columns: await this.columnsOf(table), ofFiles: this.#hidden.conditionOf(table) };
    await this.#database.defineView(table, isTable ? null : toRows(table, view, files), {
      upToOrdinal: this.#files.nextOrdinal(table),
      hot: hot.map(toHotColumn),
      within: (ranges, only) => {
        const shown = files.filter((file) => ranges.some((range) => mayHave(file, range)));
        return only === undefined ? toRows(table, view, shown) : toRowsOfColumns(table, view, shown, only);
      },
    });
    await this.#database.defineView(LONG_TEXTS.name, toLongTexts(this.#files.list()));
  }

  async columnsOf(table: PartTable): Promise<string[]> {
    let columns = this.#columns.get(table);
    if (columns === undefined) {
      const rows = await this.#database.inBackground((connection) =>
        readRows(connection, `SELECT column_name FROM (DESCRIBE ${table})`, []),
      );
      columns = rows.map(({ column_name }) => String(column_name));
      this.#columns.set(table, columns);
    }
    return columns;
  }
}

interface View {
  files: readonly DayFile[];
  columns: readonly string[];
  hot: readonly string[];
  /**
   * See `HiddenRows.conditionOf`. It is computed once for each view: when rows have been erased from new files, their ordinals are
   * forgotten, but this view still reads the old files.
   */
  ofFiles: string;
}

/**
 * SQL of all rows of the table and of some files.
 * @param shown the files to read
 */
function toRows(table: PartTable, { files, columns, hot, ofFiles }: View, shown: readonly DayFile[]): string {
  const { inTable, left } = toRowConditions(files);
  const rows = [`SELECT ${[...columns, ...toHotCells(hot)].join(", ")} FROM culprit.main.${table}${inTable}`];
  // Files with the same columns are read together. A file without a column for an attribute reads the attribute from the JSON.
  for (const [, some] of Map.groupBy(shown, (file) => JSON.stringify(file.hot ?? []))) {
    const missing = toHotCells(hot.filter((key) => !some[0]?.hot?.includes(key)));
    rows.push(`FROM (
      SELECT ${[`moved.* EXCLUDE (${LONG_COLUMN})`, ...missing].join(", ")}
      FROM ${readDayFiles(some)} AS moved ${ofFiles}
    )${left}`);
  }
  return rows.join(" UNION ALL BY NAME ");
}

/** Columns that the conditions on dropped and hidden rows use. */
const CONDITION_COLUMNS: Readonly<Record<PartTable, readonly string[]>> = {
  spans: ["ordinal", "project_id", "received_at", "category"],
  logs: ["ordinal", "project_id", "received_at"],
};

/**
 * Like `toRows`, but with only some columns. They are named where files are read: with all 52 columns of a span, DuckDB plans a statement
 * for 3 ms longer.
 */
function toRowsOfColumns(
  table: PartTable,
  { files, ofFiles }: View,
  shown: readonly DayFile[],
  columns: readonly string[],
): string {
  const { inTable, left } = toRowConditions(files);
  const list = columns.join(", ");
  const rows = [`SELECT ${list} FROM culprit.main.${table}${inTable}`];
  if (shown.length > 0) {
    const source = readDayFiles(shown, [...new Set([...columns, ...CONDITION_COLUMNS[table]])]);
    rows.push(`SELECT ${list} FROM (SELECT moved.* FROM ${source} AS moved ${ofFiles})${left}`);
  }
  return rows.join(" UNION ALL ");
}

/** WHERE clauses, or empty texts. `inTable`: rows of the table that no file has. `left`: rows of files that have not been dropped. */
function toRowConditions(files: readonly DayFile[]): { inTable: string; left: string } {
  const moving = files.filter(({ isCleared }) => !isCleared).map(isOfDay);
  const dropped = files
    .filter(({ day, droppedBefore }) => droppedBefore > day * DAY_MS)
    .map((file) => `(${isOfDay(file)} AND received_at < ${file.droppedBefore})`);
  return {
    left: dropped.length === 0 ? "" : ` WHERE NOT (${dropped.join(" OR ")})`,
    inTable: moving.length === 0 ? "" : ` WHERE NOT (${moving.join(" OR ")})`,
  };
}

/** Whether a file may have rows of a range. */
export function mayHave(
  { bounds, signal }: Pick<DayFile, "bounds" | "signal">,
  { fromUs = -Infinity, toUs = Infinity, firstOrdinal = 0, lastOrdinal = Infinity, category }: RowRange,
): boolean {
  if (category !== undefined && category !== MOVED_SIGNALS[signal].category) return false;
  if (bounds === undefined) return true;
  const isOfTime = bounds.lastUs >= fromUs && bounds.firstUs < toUs;
  return isOfTime && bounds.lastOrdinal >= firstOrdinal && bounds.firstOrdinal <= lastOrdinal;
}

/** SQL of the columns of attributes, computed from the JSON of the attributes. */
export function toHotCells(keys: readonly string[]): string[] {
  return keys.map((key) => `${toAttributeSql(key, quoteSql)} AS ${toHotColumn(key)}`);
}

/** SQL of the long texts in the table and in files. Null: there are no files. */
function toLongTexts(files: readonly DayFile[]): string | null {
  if (files.length === 0) return null;
  const moved = files.map(
    (file) =>
      `SELECT '${MOVED_SIGNALS[file.signal].table}' AS table_name, ordinal, project_id, 0 AS part, replace(${LONG_COLUMN}, ${BETWEEN_PARTS}, '') AS text
       FROM read_parquet(${quoteSql(file.path)}) WHERE ${LONG_COLUMN} IS NOT NULL`,
  );
  const isThere = files
    .filter(({ isCleared }) => !isCleared)
    .map((file) => {
      const { table } = MOVED_SIGNALS[file.signal];
      return `(table_name = '${table}' AND ordinal IN (SELECT ordinal FROM culprit.main.${table} WHERE ${isOfDay(file)}))`;
    });
  const rest = isThere.length === 0 ? "" : ` WHERE NOT (${isThere.join(" OR ")})`;
  return [
    `SELECT table_name, ordinal, project_id, part, text FROM culprit.main.${LONG_TEXTS.name}${rest}`,
    ...moved,
  ].join(" UNION ALL ");
}

/** SQL that is true for rows of a table that arrived on none of these days. */
export function isOfOtherDays(table: string, days: readonly DayOfSignal[]): string {
  const moved = days
    .filter(({ signal }) => MOVED_SIGNALS[signal].table === table)
    .map((each) => isOfDay({ ...each, upToOrdinal: Number.MAX_SAFE_INTEGER }));
  return moved.length === 0 ? "true" : `NOT (${moved.join(" OR ")})`;
}

/** SQL of rows of the table in the form of day files: with their long texts in one column, and with columns of attributes. */
export function toMovedRows(
  table: PartTable,
  { columns, hot, where }: { columns: readonly string[]; hot: readonly string[]; where: string },
): string {
  const rows = `(SELECT ${columns.join(", ")} FROM ${table} WHERE ${where})`;
  return `
    SELECT ${[...toPairedCells(table, columns, "moved"), `texts.${LONG_COLUMN}`, ...toHotCells(hot)].join(", ")} FROM ${rows} AS moved LEFT JOIN (
      SELECT ordinal, string_agg(text, ${BETWEEN_PARTS} ORDER BY part) AS ${LONG_COLUMN} FROM ${LONG_TEXTS.name}
      WHERE table_name = '${table}' AND ordinal IN (SELECT ordinal FROM ${rows} WHERE ${LONG_BYTES} IS NOT NULL)
      GROUP BY ordinal
    ) AS texts ON texts.ordinal = moved.ordinal`;
}

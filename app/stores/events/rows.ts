import { freeBuffer, freeMemory } from "../../domain/free-memory.ts";
import { boundCells } from "./bounded-row.ts";
import type { Cell, ColumnType, LateColumn, Table } from "./table.ts";

/** A table with how a value gets from a row of the program into each column. */
export interface TableOf<Row> extends Table {
  columns: ReadonlyArray<Table["columns"][number] & { get(row: Row): Cell }>;
}

/** A row on its way to its table: checked cells in the order of the table's columns, without the late ones. */
export interface NewRow {
  table: Table;
  cells: ReadonlyArray<string | number | null>;
}

/** Its texts are cut where they are too long. @throws {RangeError} when the row holds something that its column cannot, like an id that is not hex. */
export function toNewRow<Row>(table: TableOf<Row>, row: Row): NewRow {
  const { columns } = table;
  const cells = new Array<string | number | null>(columns.length);
  let at = 0;
  for (const { name, type, get } of columns) {
    const value = get(row);
    cells[at++] = value === null ? null : toCell(value, type, name);
  }
  return { table, cells: boundCells(table, cells) };
}

/**
 * The rows of one table, column by column. The buffers can be moved to another thread without being copied, and the thread
 * that owns a database has next to nothing left to do with a row.
 */
export interface TableRows {
  table: string;
  count: number;
  /** Place in the batch of the item that each row is of. */
  items: Int32Array<ArrayBuffer>;
  /** UTF-8, by the name of the column: texts with marks between them, everything else with commas; null is empty. */
  columns: Record<string, Uint8Array<ArrayBuffer>>;
  lateColumns: readonly LateColumn[];
  marks: TextMarks;
}

export type RowsByTable = readonly TableRows[];

/**
 * One control character each. Where a text of the batch holds one of them, they are like the boundary of a MIME message: made
 * from 122 random bits, so that no sender can guess it.
 */
export interface TextMarks {
  between: string;
  null: string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Gathers the rows of items, given in the order of the journal. */
export function toRowsByTable(items: ReadonlyArray<{ rows: readonly NewRow[] }>): RowsByTable {
  const byTable = new Map<Table, { items: number[]; rows: Array<NewRow["cells"]> }>();
  for (const [place, { rows }] of items.entries()) {
    for (const { table, cells } of rows) {
      let gathered = byTable.get(table);
      if (!gathered) {
        gathered = { items: [], rows: [] };
        byTable.set(table, gathered);
      }
      gathered.items.push(place);
      gathered.rows.push(cells);
    }
  }
  return [...byTable].map(([table, gathered]) => encodeRows(table, gathered));
}

function encodeRows(table: Table, { items, rows }: { items: number[]; rows: Array<NewRow["cells"]> }): TableRows {
  const marks = chooseMarks(table, rows);
  const columns: TableRows["columns"] = {};
  for (const [at, column] of table.columns.entries()) {
    columns[column.name] = encodeColumn(rows, at, column, marks);
  }
  return {
    table: table.name,
    count: rows.length,
    items: Int32Array.from(items),
    columns,
    lateColumns: table.lateColumns,
    marks,
  };
}

/** Short ones make the rows of a batch a fifth smaller, and their insert faster. */
const SHORT_MARKS: TextMarks = { between: "\x1f", null: "\x1c" };

function chooseMarks({ columns }: Table, rows: ReadonlyArray<NewRow["cells"]>): TextMarks {
  for (const [at, { type, keeps }] of columns.entries()) {
    // JSON has no control character as it is.
    if (type !== "text" || keeps === "object") continue;
    let last: string | number | null = null;
    for (const row of rows) {
      const cell = row[at] ?? null;
      if (cell === last) continue;
      last = cell;
      if (typeof cell !== "string" || !(cell.includes("\x1f") || cell.includes("\x1c"))) continue;
      const random = crypto.randomUUID();
      return { between: `\x1f${random}`, null: `\x1c${random}` };
    }
  }
  return SHORT_MARKS;
}

/** Fills a late column. `toNumber` gets the place of the item that a row is of. */
export function fillColumn(rows: TableRows, name: LateColumn, toNumber: (item: number) => number): void {
  const cells = new Array<number>(rows.count);
  for (let row = 0; row < rows.count; row++) cells[row] = toIntegerCell(toNumber(rows.items[row] as number), name);
  rows.columns[name] = encoder.encode(cells.join(","));
}

/** The rows of the items that are kept; their items keep their places. The rows that were given, where all are kept. */
export function selectRows(rows: TableRows, isKept: (item: number) => boolean): TableRows {
  const kept: number[] = [];
  for (const [row, item] of rows.items.entries()) if (isKept(item)) kept.push(row);
  if (kept.length === rows.count) return rows;
  const columns: TableRows["columns"] = {};
  for (const [name, bytes] of Object.entries(rows.columns)) {
    const text = decoder.decode(bytes);
    // Only texts have these marks, and some row is left out, so that a column of texts has one at least.
    const mark = text.includes(rows.marks.between) ? rows.marks.between : ",";
    const cells = text.split(mark);
    columns[name] = encoder.encode(kept.map((row) => cells[row]).join(mark));
  }
  return { ...rows, count: kept.length, items: Int32Array.from(kept, (row) => rows.items[row] as number), columns };
}

/** The `transferList` for posting the rows to another thread. */
export function transferablesOf(rows: RowsByTable): ArrayBuffer[] {
  return rows.flatMap(({ items, columns }) => [items.buffer, ...Object.values(columns).map(({ buffer }) => buffer)]);
}

/** See `freeMemory`: these rows have no cells afterwards. */
export function freeRows({ items, columns }: TableRows): void {
  freeBuffer(items.buffer);
  for (const column of Object.values(columns)) freeMemory(column);
}

export function readTexts(rows: TableRows, column: string): Array<string | null> {
  if (rows.count === 0) return [];
  const texts: Array<string | null> = readColumn(rows, column).split(rows.marks.between);
  for (let row = 0; row < texts.length; row++) if (texts[row] === rows.marks.null) texts[row] = null;
  return texts;
}

/** A column of ids; empty where there is none. */
export function readIds(rows: TableRows, column: string): string[] {
  return rows.count === 0 ? [] : readColumn(rows, column).split(",");
}

/** A column of whole numbers without null. */
export function readNumbers(rows: TableRows, column: string): Float64Array {
  const numbers = new Float64Array(rows.count);
  if (rows.count === 0) return numbers;
  const cells = readColumn(rows, column).split(",");
  for (let row = 0; row < numbers.length; row++) numbers[row] = Number(cells[row]);
  return numbers;
}

/** One cell as text; null where there is none. */
export function readCell(rows: TableRows, column: string, type: ColumnType, row: number): string | null {
  const text = readColumn(rows, column);
  const mark = type === "text" ? rows.marks.between : ",";
  let from = 0;
  for (let passed = 0; passed < row; passed++) from = text.indexOf(mark, from) + mark.length;
  const to = text.indexOf(mark, from);
  const cell = to === -1 ? text.slice(from) : text.slice(from, to);
  return cell === (type === "text" ? rows.marks.null : "") ? null : cell;
}

/** A column of texts, as `readTexts` gives them. */
export function toColumn(texts: ReadonlyArray<string | null>, marks: TextMarks): Uint8Array<ArrayBuffer> {
  return encoder.encode(texts.map((text) => text ?? marks.null).join(marks.between));
}

export function bytesOf(rows: TableRows): number {
  let bytes = 0;
  for (const column of Object.values(rows.columns)) bytes += column.length;
  return bytes;
}

function readColumn(rows: TableRows, column: string): string {
  const bytes = rows.columns[column];
  if (bytes === undefined) throw new RangeError(`rows of ${rows.table} have no column ${column}`);
  return decoder.decode(bytes);
}

function encodeColumn(
  rows: ReadonlyArray<NewRow["cells"]>,
  at: number,
  { type }: Table["columns"][number],
  marks: TextMarks,
): Uint8Array<ArrayBuffer> {
  const isText = type === "text";
  const [empty, between] = isText ? [marks.null, marks.between] : ["", ","];
  // Most columns are empty in most batches.
  if (rows.every((row) => row[at] === null))
    return encoder.encode(`${empty}${between}`.repeat(rows.length - 1) + empty);
  const cells = new Array<string | number>(rows.length);
  let index = 0;
  for (const row of rows) cells[index++] = row[at] ?? empty;
  return encoder.encode(cells.join(between));
}

function toCell(value: Exclude<Cell, null>, type: ColumnType, name: string): string | number {
  if (type === "text") return String(value);
  if (type === "boolean") return value === true ? 1 : 0;
  if (type === "uuid") return toHexCell(value, name, 32);
  if (type === "hex64") return toHexCell(value, name, 16);
  return type === "real" ? toRealCell(value, name) : toIntegerCell(value, name);
}

const HEX = /^[0-9a-f]+$/;

function toHexCell(value: Cell, name: string, length: number): string {
  if (typeof value === "string" && value.length === length && HEX.test(value)) return value;
  throw new RangeError(`${name} is not ${length} lower-case hex characters: ${JSON.stringify(value)}`);
}

function toRealCell(value: Cell, name: string): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new RangeError(`${name} is not a finite number: ${String(value)}`);
}

function toIntegerCell(value: Cell, name: string): number {
  const number = Math.trunc(Number(value));
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`${name} is not a number that a whole number can stand for: ${String(value)}`);
}

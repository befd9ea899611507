import type { StoredSignal } from "../../domain/stored-signal.ts";
import type { PayloadRef } from "../payload-store.ts";
import type { EventMoveRow } from "./error-events.ts";
import type { RowBatch, SeenEnvironment } from "./event-log.ts";
import type { RowsByTable, TableRows, TextMarks } from "./rows.ts";
import type { LateColumn } from "./table.ts";

/** The rows of a batch as they were committed, from which they can be written again. */
export interface LoggedRows extends RowBatch {
  kind: "rows";
  /** The lowest sequence of a record that it has rows of. Rows of lower ones are of a batch that came before. */
  from: number;
  /** The rows were stored long before the entry, by a version without a row log: no other entry has them. */
  isAddedLater: boolean;
  /** The batch, where it has rows of several signals. Each of them has an entry of its own, in a file of its own. */
  batch?: LoggedBatch | undefined;
}

export interface LoggedBatch {
  /** The lowest sequence of a record that the batch has rows of, of any signal. */
  from: number;
  signals: readonly StoredSignal[];
  /** Sequences of records whose event had come before, so that what came with it was left out, too. */
  repeats?: readonly number[];
}

/** Events that got another issue or title after they were stored. */
export interface LoggedMoves {
  kind: "moves";
  /** Milliseconds since 1970. */
  at: number;
  moves: EventMoveRow[];
}

export type RowLogEntry = LoggedRows | LoggedMoves;

/** Late columns that say where a payload lies: an entry has the payload's place in its append instead. */
const PAYLOAD_COLUMNS: readonly LateColumn[] = ["payload_file", "payload_offset", "payload_index"];

const VERSION = 1;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface TableHead {
  table: string;
  count: number;
  marks: TextMarks;
  lateColumns: readonly LateColumn[];
  /** Indexes of rows that were not written, because they came before. */
  leftOut: number[];
  /** Name and bytes of each column, in their order. */
  columns: Array<[name: string, bytes: number]>;
  /** Bytes of the column of payload places; 0: the table has no payloads. */
  placeBytes: number;
}

type EntryHead =
  | {
      version: number;
      kind: "rows";
      journalId: string;
      from: number;
      upTo: number;
      isAddedLater?: true;
      /** Some of its rows are in files of days. */
      hasMovedRows?: true;
      batch?: LoggedBatch;
      environments: Array<[projectId: number, environment: string, seenAt: number]>;
      tables: TableHead[];
    }
  | ({ version: number } & LoggedMoves);

/**
 * Encodes rows with their issues, before their payloads have a place. An entry is the length of a head (4 bytes, little endian), the
 * head as JSON, and the columns.
 * @param payloadPlaceOf the place of an item's payload among those that are appended with the entry; null: it has none
 */
export function encodeLoggedRows(
  batch: Pick<LoggedRows, "journalId" | "from" | "upTo" | "rows" | "leftOut" | "environments" | "batch">,
  payloadPlaceOf: (item: number) => number | null,
): Uint8Array {
  return encodeRows(batch, payloadPlaceOf);
}

/** Rows whose payloads have their places already: their columns say where. `upTo` as for a batch. */
export function encodeOldRows(batch: Pick<LoggedRows, "journalId" | "upTo" | "rows" | "environments">): Uint8Array {
  return encodeRows({ ...batch, from: 0, leftOut: [] }, null);
}

function encodeRows(
  batch: Pick<LoggedRows, "journalId" | "from" | "upTo" | "rows" | "leftOut" | "environments" | "batch">,
  payloadPlaceOf: ((item: number) => number | null) | null,
): Uint8Array {
  const leftOutItems = new Set(batch.leftOut);
  const parts: Uint8Array[] = [];
  const tables = batch.rows.map((rows): TableHead => {
    const { table, count, marks, lateColumns, items } = rows;
    const names = Object.keys(rows.columns).filter(
      (name) => payloadPlaceOf === null || !PAYLOAD_COLUMNS.includes(name as LateColumn),
    );
    const columns = names.map((name): [string, number] => {
      const column = rows.columns[name] as Uint8Array;
      parts.push(column);
      return [name, column.length];
    });
    let placeBytes = 0;
    if (payloadPlaceOf !== null && lateColumns.includes("payload_index")) {
      const places = encoder.encode(Array.from(items, (item) => payloadPlaceOf(item) ?? -1).join(","));
      parts.push(places);
      placeBytes = places.length;
    }
    const leftOut = leftOutItems.size === 0 ? [] : indexesOf(items, leftOutItems);
    return { table, count, marks, lateColumns, leftOut, columns, placeBytes };
  });
  const { journalId, from, upTo } = batch;
  const environments = batch.environments.map(({ projectId, environment, seenAt }): [number, string, number] => [
    projectId,
    environment,
    seenAt,
  ]);
  const marks = {
    ...(payloadPlaceOf === null && { isAddedLater: true as const }),
    ...(batch.batch && { batch: batch.batch }),
  };
  return join({ version: VERSION, kind: "rows", journalId, from, upTo, ...marks, environments, tables }, parts);
}

export function encodeLoggedMoves(moves: Omit<LoggedMoves, "kind">): Uint8Array {
  return join({ version: VERSION, kind: "moves", ...moves }, []);
}

/** The rows of one table of an entry. Only rows that were added later have the cells that say where payloads lie. */
export interface LoggedTable {
  rows: TableRows;
  /** For each row, the place of its payload in the append. -1: it has none there. */
  places: readonly number[];
}

/** Empty for an entry of another kind. @throws {RangeError} when it is of a version that is not known */
export function readLoggedTables(bytes: Uint8Array): LoggedTable[] {
  const { head, parts } = split(bytes);
  if (head.kind !== "rows") return [];
  return head.tables.map((table) => {
    const { count, marks, lateColumns } = table;
    const columns: TableRows["columns"] = {};
    for (const [name] of table.columns) columns[name] = Uint8Array.from(parts.next().value ?? new Uint8Array(0));
    const places = table.placeBytes > 0 ? toNumbers(parts.next().value) : Array<number>(count).fill(-1);
    const items = Int32Array.from({ length: count }, (_, index) => index);
    return { rows: { table: table.table, count, items, columns, lateColumns, marks }, places };
  });
}

/** The entry without some of its rows. `isGone` gets the place of a table and of a row, as `readLoggedTables` gives them. */
export function withoutLoggedRows(bytes: Uint8Array, isGone: (table: number, row: number) => boolean): Uint8Array {
  return changeLoggedRows(bytes, { isGone });
}

/** Places of tables and rows are those of `readLoggedTables`. */
export interface LoggedChanges {
  isGone(table: number, row: number): boolean;
  /** The new value of a cell. Undefined: it keeps its value. Not for texts. */
  cellOf?(table: number, row: number, column: string): string | undefined;
  /** Rows of tables that the entry does not have. Their columns may be more than those of the table. */
  added?: RowsByTable;
}

/** The entry with some of its rows changed. */
export function changeLoggedRows(bytes: Uint8Array, { isGone, cellOf, added = [] }: LoggedChanges): Uint8Array {
  const { head, parts } = split(bytes);
  if (head.kind !== "rows") return bytes;
  const kept: Uint8Array[] = [];
  const tables = head.tables.map((table, at): TableHead => {
    const rows: number[] = [];
    for (let row = 0; row < table.count; row++) if (!isGone(at, row)) rows.push(row);
    const take = (name?: string): number => {
      const text = decoder.decode(parts.next().value);
      // What a column holds is not known of tables of other versions: only texts have as many of these marks.
      const texts = text.split(table.marks.between);
      const cells = texts.length === table.count ? texts : text.split(",");
      const cellAt = (row: number) => (name === undefined ? undefined : cellOf?.(at, row, name)) ?? cells[row];
      const column = encoder.encode(rows.map(cellAt).join(cells === texts ? table.marks.between : ","));
      kept.push(column);
      return column.length;
    };
    const shape = table.columns.map(([name]): [string, number] => [name, take(name)]);
    const placeBytes = table.placeBytes > 0 ? take() : 0;
    const placeOf = new Map(rows.map((row, place) => [row, place]));
    const leftOut = table.leftOut.flatMap((row) => placeOf.get(row) ?? []);
    return { ...table, count: rows.length, leftOut, columns: shape, placeBytes };
  });
  for (const { table, count, marks, lateColumns, columns } of added) {
    const shape = Object.entries(columns).map(([name, column]): [string, number] => {
      kept.push(column);
      return [name, column.length];
    });
    tables.push({ table, count, marks, lateColumns, leftOut: [], columns: shape, placeBytes: 0 });
  }
  return join({ ...head, tables }, kept);
}

/** The journal whose records have the rows of an entry; null: it is of another kind. */
export function readLoggedJournal(bytes: Uint8Array): string | null {
  const { head } = split(bytes);
  return head.kind === "rows" ? head.journalId : null;
}

/** The entry without some of its rows, and without tables that have none left: a head takes a kilobyte for each. */
export function withoutMovedRows(bytes: Uint8Array, moved: ReadonlyArray<ReadonlySet<number>>): Uint8Array {
  const { head, parts } = split(bytes);
  if (head.kind !== "rows") return bytes;
  const kept: Uint8Array[] = [];
  const left: Array<ReadonlySet<number>> = [];
  const tables = head.tables.filter(({ count, columns, placeBytes }, at) => {
    const own = [...columns, ...(placeBytes > 0 ? [0] : [])].map(() => parts.next().value as Uint8Array);
    const gone = moved[at] ?? new Set();
    if (gone.size === count) return false;
    kept.push(...own);
    left.push(gone);
    return true;
  });
  return changeLoggedRows(join({ ...head, hasMovedRows: true, tables }, kept), {
    isGone: (table, row) => left[table]?.has(row) === true,
  });
}

/** Whether it has lost rows to files of days. Of those that versions up to 0.1.0 have moved, it is not known. */
export function hasMovedRows(bytes: Uint8Array): boolean {
  const { head } = split(bytes);
  return head.kind === "rows" && head.hasMovedRows === true;
}

/** An entry of moves without those of some events. */
export function withoutLoggedMoves(bytes: Uint8Array, isGone: (move: EventMoveRow) => boolean): Uint8Array {
  const { head } = split(bytes);
  return head.kind === "moves" ? join({ ...head, moves: head.moves.filter((move) => !isGone(move)) }, []) : bytes;
}

/** The moves of an entry; empty for an entry of rows. */
export function readLoggedMoves(bytes: Uint8Array): EventMoveRow[] {
  const { head } = split(bytes);
  return head.kind === "moves" ? head.moves : [];
}

function split(bytes: Uint8Array): { head: EntryHead; parts: Iterator<Uint8Array, undefined> } {
  const headBytes = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  const head: EntryHead = JSON.parse(decoder.decode(bytes.subarray(4, 4 + headBytes)));
  if (head.version !== VERSION) throw new RangeError(`an entry of the row log has version ${head.version}`);
  return { head, parts: partsOf(head, bytes.subarray(4 + headBytes)) };
}

function* partsOf(head: EntryHead, bytes: Uint8Array): Generator<Uint8Array, undefined> {
  if (head.kind !== "rows") return;
  let at = 0;
  for (const { columns, placeBytes } of head.tables) {
    for (const length of [...columns.map(([, length]) => length), ...(placeBytes > 0 ? [placeBytes] : [])]) {
      at += length;
      yield bytes.subarray(at - length, at);
    }
  }
}

function toNumbers(bytes: Uint8Array | undefined): number[] {
  const text = decoder.decode(bytes);
  return text === "" ? [] : text.split(",").map(Number);
}

/**
 * @param refOf see `PayloadLogPart`
 * @throws {RangeError} when it is an entry of a version that is not known
 */
export function decodeRowLogEntry(bytes: Uint8Array, refOf: (place: number) => PayloadRef): RowLogEntry {
  const { head, parts } = split(bytes);
  if (head.kind === "moves") return { kind: "moves", at: head.at, moves: head.moves };
  const take = () => Uint8Array.from(parts.next().value ?? new Uint8Array(0));
  let rowCount = 0;
  const leftOut: number[] = [];
  const rows: RowsByTable = head.tables.map((table): TableRows => {
    const { count, marks, lateColumns } = table;
    const columns: TableRows["columns"] = {};
    for (const [name] of table.columns) columns[name] = take();
    if (table.placeBytes > 0) Object.assign(columns, toPayloadColumns(take(), refOf));
    // Here each row is an item of its own.
    const items = Int32Array.from({ length: count }, (_, index) => rowCount + index);
    for (const index of table.leftOut) leftOut.push(rowCount + index);
    rowCount += count;
    return { table: table.table, count, items, columns, lateColumns, marks };
  });
  const environments = head.environments.map(
    ([projectId, environment, seenAt]): SeenEnvironment => ({ projectId, environment, seenAt }),
  );
  const { journalId, from, upTo, isAddedLater = false, batch } = head;
  return { kind: "rows", journalId, from, upTo, isAddedLater, batch, rows, leftOut, environments };
}

function indexesOf(items: Int32Array, leftOut: ReadonlySet<number>): number[] {
  const indexes: number[] = [];
  for (const [index, item] of items.entries()) if (leftOut.has(item)) indexes.push(index);
  return indexes;
}

/** A row without a payload has zeros, as where it was written first. */
function toPayloadColumns(places: Uint8Array, refOf: (place: number) => PayloadRef): TableRows["columns"] {
  const refs = decoder
    .decode(places)
    .split(",")
    .map((place) => (place === "-1" ? { fileId: 0, offset: 0, index: 0 } : refOf(Number(place))));
  return {
    payload_file: encoder.encode(refs.map(({ fileId }) => fileId).join(",")),
    payload_offset: encoder.encode(refs.map(({ offset }) => offset).join(",")),
    payload_index: encoder.encode(refs.map(({ index }) => index).join(",")),
  };
}

function join(head: EntryHead, parts: readonly Uint8Array[]): Uint8Array {
  const headBytes = encoder.encode(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(headBytes.length);
  return Buffer.concat([length, headBytes, ...parts]);
}

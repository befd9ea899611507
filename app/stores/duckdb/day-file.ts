import { open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { DAY_MS } from "../../domain/time.ts";
import { type DayOfSignal, MOVED_SIGNALS, type MovedSignal, type SliceOfDay } from "../events/moved-days.ts";
import type { PartTable } from "../events/row-keys.ts";
import { readRows } from "./duckdb-database.ts";
import { saysNoMemory } from "./duckdb-limits.ts";

/** The JSON in the footer of a day file. */
export interface DayFileHead extends DayOfSignal {
  /** 2: see paired-ids.ts. */
  version: 1 | 2;
  rows: number;
  /** Hash of all values in all rows, by DuckDB's `hash`. */
  hash: string;
  /** All its rows have lower ordinals. */
  upToOrdinal: number;
  /** All its rows have this ordinal or a higher one. Lower ones are in other files of the day. */
  fromOrdinal?: number;
  positions: Record<string, number>;
  /** Attributes that have a column: see hot-attributes.ts. */
  hot?: readonly string[];
  /** Absent in files of earlier versions. */
  bounds?: RowBounds;
}

/** The ranges of the rows in a file, all inclusive. */
export interface RowBounds {
  /** When they happened, in microseconds since 1970. */
  firstUs: number;
  lastUs: number;
  firstOrdinal: number;
  lastOrdinal: number;
}

/** The column with the time of a row. */
const TIME_COLUMNS: Readonly<Record<PartTable, string>> = { spans: "started_us", logs: "occurred_us" };

/** A Parquet file with rows of a signal that arrived on one day. It never changes: a rewrite makes a file with another name. */
export interface DayFile extends DayFileHead, SliceOfDay {
  path: string;
  name: string;
  /** Grows with each rewrite. */
  edition: number;
  bytes: number;
  /** CRC-32 of its bytes. Null: an earlier version wrote it, and its values are still to be checked once. */
  crc: number | null;
  isStripped: boolean;
  /** True when no row of the file is in the table any more. */
  isCleared: boolean;
  /** Readers skip rows that arrived before this instant (milliseconds since 1970). */
  droppedBefore: number;
}

const KEY = "culprit";

/**
 * Levels of zstd. A streamed span takes 29.3 bytes and 5 µs at level 9, 28.4 bytes and 9 µs at 12, 27.5 bytes and 26 µs at 15. Larger row
 * groups save 1 %, and the writer holds one of them in memory.
 */
const LEVELS = { first: 9, again: 12 } as const;
/**
 * Rows of a row group. The second size is for a lack of memory: from a table of 5,000,000 streamed spans, one thread can write groups of
 * the first size with 122 MB, and two threads cannot. Two threads can write the second size with 90 MB. Each query reads the statistics of
 * each column in every group: a search of five minutes in 5,000,000 spans took 75 ms of processor time with groups of 2,048, and 21 ms with
 * groups of 40,960.
 */
const GROUP_SIZES = [40_960, 8_192] as const;

/** The file name, like `2026-11-20-spans-0000.parquet`, and `2026-11-20-spans-0000-0001.parquet` for later slices. */
export function toDayFileName({ day, signal, slice }: SliceOfDay, edition: number): string {
  const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
  const numbers = slice === 0 ? [edition] : [edition, slice];
  return `${[date, signal, ...numbers.map((each) => String(each).padStart(4, "0"))].join("-")}.parquet`;
}

/** Null for any other file. */
export function parseDayFileName(name: string): (SliceOfDay & { edition: number }) | null {
  const [, date, signal, edition, slice = "0"] =
    /^(\d{4}-\d{2}-\d{2})-([a-z]+)-(\d{4})(?:-(\d{4,}))?\.parquet$/.exec(name) ?? [];
  if (date === undefined || signal === undefined || !Object.hasOwn(MOVED_SIGNALS, signal)) return null;
  const day = Date.parse(`${date}T00:00:00Z`) / DAY_MS;
  return Number.isInteger(day)
    ? { day, signal: signal as MovedSignal, edition: Number(edition), slice: Number(slice) }
    : null;
}

/** SQL that is true for the rows of a table that arrived on a day, between two ordinals. */
export function isOfDay({
  day,
  signal,
  fromOrdinal = 0,
  upToOrdinal,
}: DayOfSignal & Pick<DayFileHead, "fromOrdinal" | "upToOrdinal">): string {
  const { category } = MOVED_SIGNALS[signal];
  const ofSignal = category === null ? "" : ` AND category = '${category}'`;
  const from = fromOrdinal === 0 ? "" : ` AND ordinal >= ${fromOrdinal}`;
  return `(received_at >= ${day * DAY_MS} AND received_at < ${(day + 1) * DAY_MS}${from} AND ordinal < ${upToOrdinal}${ofSignal})`;
}

type SliceRange = Pick<DayFile, "day" | "signal" | "edition" | "fromOrdinal" | "upToOrdinal">;

/** Whether `other` is a rewrite of a file, alone or together with other files of its day. */
export function isReplacedBy(file: SliceRange, other: SliceRange): boolean {
  const isSameDay = file.day === other.day && file.signal === other.signal;
  const [from, otherFrom] = [file.fromOrdinal ?? 0, other.fromOrdinal ?? 0];
  if (!isSameDay || otherFrom > from || other.upToOrdinal < file.upToOrdinal) return false;
  return otherFrom < from || other.upToOrdinal > file.upToOrdinal || other.edition > file.edition;
}

interface DayFileWriting {
  /** `again` compresses harder: rows that are rewritten are unlikely to be rewritten once more. */
  written: keyof typeof LEVELS;
  /** Waits until running queries have released their memory. */
  waitForMemory: () => Promise<void>;
}

/**
 * Writes the rows of a query, with these columns, to the path `draft`. When the promise resolves, the file is durable, and was read back
 * and compared. Null: there are no rows.
 */
export async function writeDayFile(
  connection: DuckDBConnection,
  draft: string,
  query: string,
  columns: readonly string[],
  head: Omit<DayFileHead, "rows" | "hash">,
  { written, waitForMemory }: DayFileWriting,
): Promise<DayFileHead | null> {
  const { rows, hash } = await sumRows(connection, query, columns);
  if (rows === 0) return null;
  const bounds = await readRowBounds(connection, MOVED_SIGNALS[head.signal].table, `(${query})`);
  const { version, day, signal, fromOrdinal, upToOrdinal, positions, hot } = head;
  const noted: DayFileHead = {
    ...{ version, day, signal, rows, hash, upToOrdinal, positions, bounds },
    ...(fromOrdinal !== undefined && { fromOrdinal }),
    ...(hot !== undefined && { hot }),
  };
  try {
    for (const groupSize of GROUP_SIZES) {
      try {
        await connection.run(
          `COPY (SELECT ${columns.join(", ")} FROM (${query})) TO ${quoteSql(draft)}
           (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL ${LEVELS[written]}, ROW_GROUP_SIZE ${groupSize},
            KV_METADATA {${KEY}: ${quoteSql(JSON.stringify(noted))}})`,
        );
        break;
      } catch (error) {
        if (!saysNoMemory(error) || groupSize === GROUP_SIZES.at(-1)) throw error;
        await waitForMemory();
      }
    }
    const file = await open(draft, "r");
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    const read = await sumRows(connection, `FROM read_parquet(${quoteSql(draft)})`, columns);
    if (read.rows !== rows || read.hash !== hash)
      throw new Error(`${draft} does not have the rows that were written into it`);
    return noted;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * @throws when the file cannot be read, or Culprit did not write it
 */
export async function readDayFileHead(connection: DuckDBConnection, path: string): Promise<DayFileHead> {
  const [row] = await readRows(
    connection,
    `SELECT decode(value) AS head FROM parquet_kv_metadata(${quoteSql(path)}) WHERE decode(key) = '${KEY}'`,
    [],
  );
  const head = row === undefined ? null : (JSON.parse(String(row.head)) as DayFileHead);
  if (head?.version !== 1 && head?.version !== 2) throw new Error(`${path} does not say what it holds`);
  return head;
}

/** @param source SQL of some rows of the table, at least one */
export async function readRowBounds(
  connection: DuckDBConnection,
  table: PartTable,
  source: string,
): Promise<RowBounds> {
  const column = TIME_COLUMNS[table];
  const [row] = await readRows(
    connection,
    `SELECT min(${column})::DOUBLE AS first_us, max(${column})::DOUBLE AS last_us,
       min(ordinal)::DOUBLE AS first_ordinal, max(ordinal)::DOUBLE AS last_ordinal FROM ${source}`,
  );
  return {
    firstUs: Number(row?.first_us),
    lastUs: Number(row?.last_us),
    firstOrdinal: Number(row?.first_ordinal),
    lastOrdinal: Number(row?.last_ordinal),
  };
}

/**
 * Reads every value of every row.
 * @throws if a value cannot be read, or the values are not those that were written
 */
export async function verifyDayFile(connection: DuckDBConnection, path: string): Promise<DayFileHead> {
  const head = await readDayFileHead(connection, path);
  const columns = await columnsOfDayFiles(connection, `read_parquet(${quoteSql(path)})`);
  const { rows, hash } = await sumRows(connection, `FROM read_parquet(${quoteSql(path)})`, columns);
  if (rows !== head.rows || hash !== head.hash) throw new Error("its rows are not those that were written");
  return head;
}

/** @param source SQL that reads one or more files */
export async function columnsOfDayFiles(connection: DuckDBConnection, source: string): Promise<string[]> {
  const rows = await readRows(connection, `SELECT column_name FROM (DESCRIBE FROM ${source})`, []);
  return rows.map(({ column_name }) => String(column_name));
}

export async function sizeOfDayFile(dir: string, name: string): Promise<number> {
  return (await stat(join(dir, name))).size;
}

/** A text as a literal in SQL. */
export function quoteSql(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

async function sumRows(
  connection: DuckDBConnection,
  query: string,
  columns: readonly string[],
): Promise<{ rows: number; hash: string }> {
  const [row] = await readRows(
    connection,
    `SELECT count(*)::DOUBLE AS rows, bit_xor(hash(${columns.join(", ")}))::VARCHAR AS hash FROM (${query})`,
    [],
  );
  return { rows: Number(row?.rows), hash: String(row?.hash) };
}

import type { SequenceRange } from "../../domain/journal-positions.ts";
import type { ScopedProjectIds } from "../../domain/scope.ts";
import { type LinePlace, readLineId, toLineId } from "../events/line-id.ts";
import { LOG_ROWS } from "../events/log-table.ts";
import type { LogFilter, LogPage, LogPlace, StoredLog } from "../events/logs.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import { toLogConditions } from "./log-conditions.ts";
import { toLogPieces } from "./log-pieces.ts";
import { readWhole } from "./long-texts.ts";
import { toLogRow } from "./read-spans.ts";
import { readCells, toSelection } from "./read-typed-rows.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** The low bits of the sequence, as in `LinePlace`. */
const SEQUENCE_BITS_SQL = "sequence & 16777215";
const SELECTION = `ordinal::DOUBLE AS ordinal, ${toSelection(LOG_ROWS)}`;

export async function findLogs(
  database: DuckdbDatabase,
  filter: LogFilter,
  { limit, budgetMs, before, after }: { limit: number; budgetMs: number; before?: LogPlace; after?: LogPlace },
): Promise<LogPage> {
  const isForward = after !== undefined;
  const lower = after && (await findEdge(database, filter.projectIds, after));
  const upper = before && (await findEdge(database, filter.projectIds, before, { isEnd: true }));
  const range = {
    fromUs: Math.max(Math.ceil(filter.from * 1000), lower?.occurredUs ?? Number.NEGATIVE_INFINITY),
    toUs: Math.min(Math.ceil(filter.to * 1000), upper ? toEnd(upper) : Number.POSITIVE_INFINITY),
  };
  const lines: StoredLog[] = [];
  if (filter.projectIds.length === 0) return { lines, next: null, readUpTo: null };
  const hot = database.hotColumnsOf("logs");
  let readToUs = isForward ? range.fromUs : range.toUs;
  for (const { fromUs, toUs } of toLogPieces(range, { budgetMs, isForward })) {
    const conditions = toLogConditions(filter, hot).addRange("occurred_us", fromUs, toUs);
    if (upper) addEdge(conditions, "<", upper);
    if (lower) addEdge(conditions, ">", lower);
    const order = isForward ? "ASC" : "DESC";
    const rows = await database.read(
      () => `SELECT ${SELECTION} FROM ${database.rowsWithin("logs", [{ fromUs, toUs }])} WHERE ${conditions}
       ORDER BY logs.occurred_us ${order}, logs.ordinal ${order} LIMIT ${Math.trunc(limit) + 1 - lines.length}`,
      conditions.values,
    );
    lines.push(...rows.map(toStoredLog));
    if (lines.length > limit) {
      lines.length = limit;
      const { id, ordinal } = lines[limit - 1] as StoredLog;
      return { lines, next: { id, ordinal }, readUpTo: null };
    }
    readToUs = isForward ? toUs : fromUs;
  }
  const isAll = isForward ? readToUs >= range.toUs : readToUs <= range.fromUs;
  if (isAll) return { lines, next: null, readUpTo: null };
  return { lines, next: { occurredUs: readToUs }, readUpTo: readToUs / 1000 };
}

export async function listNewLogs(
  database: DuckdbDatabase,
  filter: Omit<LogFilter, "from" | "to">,
  range: { sequences: readonly SequenceRange[]; receivedFrom: number; limit: number },
): Promise<StoredLog[]> {
  if (filter.projectIds.length === 0) return [];
  const conditions = toLogConditions(filter, database.hotColumnsOf("logs"))
    .addRanges("sequence", range.sequences)
    // After the journals were made again, their sequences start again.
    .addRange("received_at", range.receivedFrom, null);
  const rows = await database.read(
    `SELECT ${SELECTION} FROM logs WHERE ${conditions} ORDER BY logs.ordinal DESC LIMIT ${Math.trunc(range.limit)}`,
    conditions.values,
  );
  return rows.map(toStoredLog);
}

export async function getLog(
  database: DuckdbDatabase,
  projectIds: ScopedProjectIds,
  id: string,
): Promise<StoredLog | null> {
  const place = readLineId(id);
  const row = place && (await findLine(database, projectIds, { id, ...place }));
  if (row === null) return null;
  // The id is computed from the shortened texts of the row.
  const whole = await readWhole(database, LOG_ROWS, row, readCells(LOG_ROWS, row));
  return { ...toLogRow(whole), id, ordinal: Number(row.ordinal) };
}

export async function listLogsAt(
  database: DuckdbDatabase,
  projectIds: ScopedProjectIds,
  occurredUs: number,
  limit: number,
): Promise<StoredLog[]> {
  if (projectIds.length === 0) return [];
  const conditions = new SqlConditions().addEqual("occurred_us", occurredUs).addProjects(projectIds);
  const rows = await database.read(
    () =>
      `SELECT ${SELECTION} FROM ${linesAt(database, occurredUs)} WHERE ${conditions} ORDER BY logs.ordinal LIMIT ${Math.trunc(limit)}`,
    conditions.values,
  );
  return rows.map(toStoredLog);
}

/** Lines of one record and microsecond that are compared with an id. A line after these is not found. */
const MAX_COMPARED = 10_000;

/** The newest line with this id. */
async function findLine(
  database: DuckdbDatabase,
  projectIds: ScopedProjectIds,
  { id, occurredUs, sequenceBits }: LinePlace & { id: string },
): Promise<SqlRow | null> {
  if (projectIds.length === 0) return null;
  const conditions = new SqlConditions()
    .addEqual("occurred_us", occurredUs)
    .addEqual(SEQUENCE_BITS_SQL, sequenceBits)
    .addProjects(projectIds);
  const rows = await database.read(
    () =>
      `SELECT ${SELECTION} FROM ${linesAt(database, occurredUs)} WHERE ${conditions} ORDER BY logs.ordinal DESC LIMIT ${MAX_COMPARED}`,
    conditions.values,
  );
  return rows.find((row) => toStoredLog(row).id === id) ?? null;
}

/** A place between lines. `ordinal` null: before the first line of the instant. */
interface Edge {
  occurredUs: number;
  ordinal: number | null;
}

/** The place of a line. If the line is gone, lines of its instant may appear on two pages, rather than on none. */
async function findEdge(
  database: DuckdbDatabase,
  projectIds: ScopedProjectIds,
  place: LogPlace,
  { isEnd = false } = {},
): Promise<Edge | undefined> {
  if (!("id" in place)) return { occurredUs: place.occurredUs, ordinal: null };
  const { id, ordinal } = place;
  const at = readLineId(id);
  if (at === null) return undefined;
  if (ordinal !== undefined && (await isLineThere(database, at, ordinal)))
    return { occurredUs: at.occurredUs, ordinal };
  const line = await findLine(database, projectIds, { id, ...at });
  if (line === null) return { occurredUs: isEnd ? at.occurredUs + 1 : at.occurredUs, ordinal: null };
  return { occurredUs: at.occurredUs, ordinal: Number(line.ordinal) };
}

async function isLineThere(database: DuckdbDatabase, at: LinePlace, ordinal: number): Promise<boolean> {
  const conditions = new SqlConditions()
    .addEqual("occurred_us", at.occurredUs)
    .addEqual(SEQUENCE_BITS_SQL, at.sequenceBits)
    .addEqual("ordinal", ordinal);
  const rows = await database.read(
    () => `SELECT 1 FROM ${linesAt(database, at.occurredUs)} WHERE ${conditions}`,
    conditions.values,
  );
  return rows.length > 0;
}

/** SQL of the lines of an instant; its name is `logs`. */
function linesAt(database: DuckdbDatabase, occurredUs: number): string {
  return database.rowsWithin("logs", [{ fromUs: occurredUs, toUs: occurredUs + 1 }]);
}

/** The exclusive end of the time before a place. */
function toEnd({ occurredUs, ordinal }: Edge): number {
  return ordinal === null ? occurredUs : occurredUs + 1;
}

/** Without an ordinal, the range of time is enough. */
function addEdge(conditions: SqlConditions, sign: "<" | ">", { occurredUs, ordinal }: Edge): void {
  if (ordinal === null) return;
  const at = conditions.bind(occurredUs);
  conditions.add(
    `(occurred_us ${sign} ${at} OR (occurred_us = ${at} AND ordinal ${sign} ${conditions.bind(ordinal)}))`,
  );
}

function toStoredLog(row: SqlRow): StoredLog {
  const log = toLogRow(readCells(LOG_ROWS, row));
  return { ...log, id: toLineId(log), ordinal: Number(row.ordinal) };
}

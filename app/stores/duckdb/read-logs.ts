import type { ScopedProjectIds } from "../../domain/scope.ts";
import { LOG_ROWS } from "../events/log-table.ts";
import type { LogFilter, LogPage, LogPlace, StoredLog } from "../events/logs.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import { toLogConditions } from "./log-conditions.ts";
import { toLogPieces } from "./log-pieces.ts";
import { toLogRow } from "./read-spans.ts";
import { readCells, toSelection } from "./read-typed-rows.ts";
import { SqlConditions } from "./sql-conditions.ts";

const SELECTION = `ordinal::DOUBLE AS ordinal, ${toSelection(LOG_ROWS)}`;

export async function findLogs(
  database: DuckdbDatabase,
  filter: LogFilter,
  { limit, budgetMs, before, after }: { limit: number; budgetMs: number; before?: LogPlace; after?: LogPlace },
): Promise<LogPage> {
  const isForward = after !== undefined;
  const range = {
    fromUs: Math.max(Math.ceil(filter.from * 1000), after?.occurredUs ?? Number.NEGATIVE_INFINITY),
    toUs: Math.min(Math.ceil(filter.to * 1000), (before?.occurredUs ?? Number.POSITIVE_INFINITY) + 1),
  };
  const lines: StoredLog[] = [];
  if (filter.projectIds.length === 0) return { lines, next: null, readUpTo: null };
  let readToUs = isForward ? range.fromUs : range.toUs;
  for (const { fromUs, toUs } of toLogPieces(range, { budgetMs, isForward })) {
    const conditions = toLogConditions(filter).addRange("occurred_us", fromUs, toUs);
    if (before) conditions.add(toPlaceCondition(conditions, "<", before));
    if (after) conditions.add(toPlaceCondition(conditions, ">", after));
    const order = isForward ? "ASC" : "DESC";
    const rows = await database.read(
      `SELECT ${SELECTION} FROM logs WHERE ${conditions}
       ORDER BY logs.occurred_us ${order}, logs.ordinal ${order} LIMIT ${Math.trunc(limit) + 1 - lines.length}`,
      conditions.values,
    );
    lines.push(...rows.map(toStoredLog));
    if (lines.length > limit) {
      lines.length = limit;
      const { occurredUs, ordinal } = lines[limit - 1] as StoredLog;
      return { lines, next: { occurredUs, ordinal }, readUpTo: null };
    }
    readToUs = isForward ? toUs : fromUs;
  }
  const isAll = isForward ? readToUs >= range.toUs : readToUs <= range.fromUs;
  if (isAll) return { lines, next: null, readUpTo: null };
  // All lines on this side of the edge were looked at, and those at the edge itself only when going forward.
  const next = isForward
    ? { occurredUs: readToUs - 1, ordinal: Number.MAX_SAFE_INTEGER }
    : { occurredUs: readToUs, ordinal: 0 };
  return { lines, next, readUpTo: readToUs / 1000 };
}

export async function getLog(
  database: DuckdbDatabase,
  projectIds: ScopedProjectIds,
  { occurredUs, ordinal }: LogPlace,
): Promise<StoredLog | null> {
  if (projectIds.length === 0) return null;
  const conditions = new SqlConditions()
    .addEqual("occurred_us", occurredUs)
    .addEqual("ordinal", ordinal)
    .addOneOf("project_id", projectIds);
  const [row] = await database.read(`SELECT ${SELECTION} FROM logs WHERE ${conditions}`, conditions.values);
  return row === undefined ? null : toStoredLog(row);
}

function toStoredLog(row: SqlRow): StoredLog {
  return { ...toLogRow(readCells(LOG_ROWS, row)), ordinal: Number(row.ordinal) };
}

function toPlaceCondition(conditions: SqlConditions, sign: "<" | ">", { occurredUs, ordinal }: LogPlace): string {
  const at = conditions.bind(occurredUs);
  return `(occurred_us ${sign} ${at} OR (occurred_us = ${at} AND ordinal ${sign} ${conditions.bind(ordinal)}))`;
}

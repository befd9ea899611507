import type { Condition } from "../../domain/search/condition.ts";
import { type ReadSpan, type TraceSpans, toTraceSpans } from "../../domain/traces/trace-spans.ts";
import { SPAN_ROWS } from "../events/span-table.ts";
import type { SpanRow, TraceFilter } from "../events/spans.ts";
import { toConditionSql } from "../sql/condition-sql.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlValue } from "./duckdb-reader.ts";
import { readWhole } from "./long-texts.ts";
import { BY_START, readManySpans, toKind } from "./read-many-spans.ts";
import { findTracePlace, orderByNearness, toSpanRow } from "./read-spans.ts";
import { readCells, toSelection } from "./read-typed-rows.ts";
import { createSpanDialect, NO_HOT_COLUMNS } from "./span-dialect.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** Up to so many spans, one statement that reads each with its name is the faster way. */
const MAX_FEW = 5_000;

/** @param upTo rows below this ordinal are summed */
export async function readTraceSpans(
  database: DuckdbDatabase,
  upTo: number,
  { limit, near, ...filter }: TraceFilter,
): Promise<TraceSpans> {
  if (filter.projectIds.length === 0) return toTraceSpans(0, []);
  const { first, condition } = await findTracePlace(database, upTo, filter);
  const conditions = conditionsOf(filter).add(condition);
  const source = database.rowsFrom("spans", first);
  const nearest = near && orderByNearness(conditions, near, { from: "started_us", to: "started_us + duration_us" });
  const mayBeMany = nearest === undefined && limit > MAX_FEW;
  const few = mayBeMany ? MAX_FEW + 1 : Math.trunc(limit);
  const columns = await database.readColumns(
    `SELECT ordinal::DOUBLE, format('{:016x}', span_id), format('{:016x}', parent_span_id), started_us::DOUBLE,
            duration_us::DOUBLE, project_id::DOUBLE, coalesce(service, ''), op, name, status, http_status::DOUBLE
     FROM ${nearest ? `(FROM ${source} WHERE ${conditions} ORDER BY ${nearest}, ordinal LIMIT ${few})` : `${source} WHERE ${conditions}`}
     ORDER BY ${BY_START} LIMIT ${few}`,
    conditions.values,
  );
  const count = columns[0]?.length ?? 0;
  if (mayBeMany && count > MAX_FEW) return readManySpans(database, { first, conditions }, limit);
  return toTraceSpans(count, readEach(columns));
}

function* readEach(columns: SqlValue[][]): Generator<ReadSpan> {
  const count = columns[0]?.length ?? 0;
  for (let row = 0; row < count; row++) {
    const [ordinal, id, parentId, startedUs, durationUs, ...kind] = columns.map((column) => column[row] ?? null);
    yield {
      ordinal: Number(ordinal),
      id: BigInt(`0x${id}`),
      parentId: parentId === null ? null : BigInt(`0x${parentId}`),
      startedUs: Number(startedUs),
      durationUs: Number(durationUs),
      ...toKind(kind),
    };
  }
}

/** See `Traces.findTraceSpans`. */
export async function findTraceSpans(
  database: DuckdbDatabase,
  upTo: number,
  { limit, ...filter }: Omit<TraceFilter, "near">,
  where: Condition,
): Promise<Float64Array> {
  if (filter.projectIds.length === 0) return new Float64Array();
  const { first, condition } = await findTracePlace(database, upTo, filter);
  const conditions = conditionsOf(filter).add(condition);
  conditions.add(toConditionSql(where, createSpanDialect(conditions, NO_HOT_COLUMNS)));
  const [ordinals = new Float64Array()] = await database.readNumbers(
    `SELECT ordinal::DOUBLE FROM ${database.rowsFrom("spans", first)} WHERE ${conditions} LIMIT ${Math.trunc(limit)}`,
    conditions.values,
  );
  return ordinals;
}

export async function readSpan(
  database: DuckdbDatabase,
  filter: Omit<TraceFilter, "limit" | "near">,
  ordinal: number,
): Promise<SpanRow | null> {
  if (filter.projectIds.length === 0) return null;
  const conditions = conditionsOf(filter);
  conditions.add(`ordinal = ${conditions.bind(ordinal)}`);
  const [row] = await database.read(
    `SELECT ordinal::DOUBLE AS ordinal, ${toSelection(SPAN_ROWS)} FROM ${database.rowsFrom("spans", ordinal)} WHERE ${conditions}`,
    conditions.values,
  );
  return row === undefined ? null : toSpanRow(await readWhole(database, SPAN_ROWS, row, readCells(SPAN_ROWS, row)));
}

function conditionsOf({ projectIds, traceId }: Omit<TraceFilter, "limit" | "near">): SqlConditions {
  const conditions = new SqlConditions();
  return conditions.add(`trace_id = ${conditions.bind(traceId)}::UUID`).addProjects(projectIds);
}

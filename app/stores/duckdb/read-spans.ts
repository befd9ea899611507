import { TYPED_ATTRIBUTES, type TypedValue } from "../../domain/spans/typed-attributes.ts";
import { LOG_ROWS } from "../events/log-table.ts";
import type { LogRow, TraceLog } from "../events/logs.ts";
import type { TableOf } from "../events/rows.ts";
import { SPAN_ROWS } from "../events/span-table.ts";
import type { ListedSpan, SpanForm, SpanRow, TimeNear, TraceFilter } from "../events/spans.ts";
import type { Cell } from "../events/table.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import { LONG_BYTES } from "./long-texts.ts";
import { readCells, toSelection } from "./read-typed-rows.ts";
import type { RowRange } from "./reader-views.ts";
import { SqlConditions } from "./sql-conditions.ts";
import { findTracePlace, type TracePlace } from "./trace-place.ts";

/** @param upTo rows below this ordinal are summed */
export async function listSpans(database: DuckdbDatabase, upTo: number, filter: TraceFilter): Promise<ListedSpan[]> {
  if (filter.projectIds.length === 0) return [];
  const place = await findTracePlace(database, upTo, filter);
  const reading = { time: "started_us", end: "started_us + duration_us", place };
  const rows = await listOfTrace(database, filter, SPAN_ROWS, reading);
  return rows.map((row) => {
    const span = toSpanRow(readCells(SPAN_ROWS, row));
    return row[LONG_BYTES] === null ? span : { ...span, isShortened: true };
  });
}

const TRACE_LOG_COLUMNS = [
  "sequence",
  "project_id",
  "span_id",
  "occurred_us",
  "shift_us",
  "severity",
  "body",
  "logger",
  "service",
];
const TRACE_LOGS: TableOf<LogRow> = {
  name: LOG_ROWS.name,
  columns: LOG_ROWS.columns.filter(({ name }) => TRACE_LOG_COLUMNS.includes(name)),
  lateColumns: [],
};

export async function listTraceLogs(database: DuckdbDatabase, filter: TraceFilter): Promise<TraceLog[]> {
  return (
    await listOfTrace(database, filter, TRACE_LOGS, {
      time: "occurred_us",
      end: "occurred_us",
      place: { ranges: [toTimeRange(filter.near)] },
      columns: [...TRACE_LOG_COLUMNS, "ordinal", "trace_id"],
    })
  ).map((row) => toTraceLog(readCells(TRACE_LOGS, row)));
}

function toTraceLog(cells: ReadonlyMap<string, Cell>): TraceLog {
  const { text, number } = typedReaders(cells);
  return {
    sequence: Number(cells.get("sequence")),
    projectId: Number(cells.get("project_id")),
    spanId: text("span_id"),
    occurredUs: Number(cells.get("occurred_us")),
    shiftUs: number("shift_us"),
    severity: Number(cells.get("severity")),
    body: String(cells.get("body")),
    logger: text("logger"),
    service: text("service"),
  };
}

function toTimeRange(near: TimeNear | undefined): RowRange {
  return near === undefined ? {} : { fromUs: near.fromUs, toUs: near.toUs + 1 };
}

interface TraceReading {
  /** SQL of the begin and the end of a row's time. */
  time: string;
  end: string;
  place: Pick<TracePlace, "ranges"> & Partial<TracePlace>;
  /** Columns of the table to read. Absent: all. */
  columns?: readonly string[];
}

async function listOfTrace<Row>(
  database: DuckdbDatabase,
  { projectIds, traceId, limit, near }: TraceFilter,
  table: TableOf<Row>,
  { time, end, place, columns }: TraceReading,
): Promise<SqlRow[]> {
  if (projectIds.length === 0) return [];
  const conditions = new SqlConditions();
  conditions.add(`trace_id = ${conditions.bind(traceId)}::UUID`).addProjects(projectIds);
  place.addTo?.(conditions);
  const nearest = near && orderByNearness(conditions, near, { from: time, to: end });
  return await database.read(() => {
    const source = database.rowsWithin(table.name, place.ranges, columns);
    const from = nearest
      ? `(FROM ${source} WHERE ${conditions} ORDER BY ${nearest}, ordinal LIMIT ${Math.trunc(limit)}) AS ${table.name}`
      : `${source} WHERE ${conditions}`;
    return `SELECT ${toSelection(table)} FROM ${from} ORDER BY ${table.name}.${time}, ordinal LIMIT ${Math.trunc(limit)}`;
  }, conditions.values);
}

/**
 * Adds the condition that a row is in the range. Returns SQL for its distance from the instant in microseconds: 0 if it was running then.
 */
export function orderByNearness(
  conditions: SqlConditions,
  { atUs, fromUs, toUs }: TimeNear,
  { from, to }: { from: string; to: string },
): string {
  conditions
    .add(`${from} <= ${conditions.bind(Math.trunc(toUs))}::BIGINT`)
    .add(`${to} >= ${conditions.bind(Math.trunc(fromUs))}::BIGINT`);
  const at = `${conditions.bind(Math.trunc(atUs))}::BIGINT`;
  return `greatest(${from} - ${at}, ${at} - (${to}), 0)`;
}

export function toSpanRow(cells: ReadonlyMap<string, Cell>): SpanRow {
  const { text, number } = typedReaders(cells);
  return {
    ...toCommon(cells),
    category: toSpanCategory(text("category")),
    form: text("form") as SpanForm,
    traceId: String(cells.get("trace_id")),
    spanId: String(cells.get("span_id")),
    parentSpanId: text("parent_span_id"),
    segmentId: text("segment_id"),
    isSegment: cells.get("is_segment") === true,
    startedUs: Number(cells.get("started_us")),
    durationUs: Number(cells.get("duration_us")),
    op: text("op"),
    name: text("name"),
    nameGroup: text("name_group"),
    status: text("status"),
    kind: text("kind"),
    segment: text("segment"),
    sampleRate: number("sample_rate"),
    typed: TYPED_ATTRIBUTES.map(({ column }): TypedValue => cells.get(column) ?? null),
  };
}

function toSpanCategory(text: string | null): SpanRow["category"] {
  return text === "transaction" || text === "uptime" ? text : "span";
}

export function toLogRow(cells: ReadonlyMap<string, Cell>): LogRow {
  const { text, number } = typedReaders(cells);
  return {
    ...toCommon(cells),
    traceId: text("trace_id"),
    spanId: text("span_id"),
    occurredUs: Number(cells.get("occurred_us")),
    tieBreaker: number("tie_breaker"),
    level: text("level"),
    severity: Number(cells.get("severity")),
    body: String(cells.get("body")),
    template: text("template"),
    logger: text("logger"),
    serverAddress: text("server_address"),
    userId: text("user_id"),
    replayId: text("replay_id"),
  };
}

function toCommon(cells: ReadonlyMap<string, Cell>) {
  const { text, number } = typedReaders(cells);
  return {
    sequence: Number(cells.get("sequence")),
    projectId: Number(cells.get("project_id")),
    receivedAt: Number(cells.get("received_at")),
    shiftUs: number("shift_us"),
    origin: text("origin"),
    release: text("release"),
    environment: text("environment"),
    service: text("service"),
    sdkName: text("sdk_name"),
    sdkVersion: text("sdk_version"),
    attributes: text("attributes"),
    rest: text("rest"),
    resource: text("resource"),
  };
}

function typedReaders(cells: ReadonlyMap<string, Cell>) {
  const of = (column: string) => cells.get(column) ?? null;
  return {
    text: (column: string) => (of(column) === null ? null : String(of(column))),
    number: (column: string) => (of(column) === null ? null : Number(of(column))),
  };
}

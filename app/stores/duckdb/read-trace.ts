import type { Condition } from "../../domain/search/condition.ts";
import { nameRequest } from "../../domain/spans/request-name.ts";
import { type ReadSpan, type TraceSpans, toTraceSpans } from "../../domain/traces/trace-spans.ts";
import type { TraceLog } from "../events/logs.ts";
import { SPAN_ROWS } from "../events/span-table.ts";
import type { SpanRow, TraceFilter } from "../events/spans.ts";
import type { LinesAround } from "../events/traces.ts";
import { toConditionSql } from "../sql/condition-sql.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import { readWhole } from "./long-texts.ts";
import { BY_START, readManySpans } from "./read-many-spans.ts";
import { listTraceLogs, orderByNearness, toSpanRow } from "./read-spans.ts";
import { readCells, toSelection } from "./read-typed-rows.ts";
import { createSpanDialect, NO_HOT_COLUMNS } from "./span-dialect.ts";
import { REQUEST_URL } from "./span-sum-sql.ts";
import { SqlConditions } from "./sql-conditions.ts";
import { findTracePlace, type SpanTimes, type TracePlace } from "./trace-place.ts";

/** Up to this many spans are read faster by one statement, each with its name. */
const MAX_FEW = 5_000;

/** @param upTo rows below this ordinal are summed */
export async function readTraceSpans(database: DuckdbDatabase, upTo: number, filter: TraceFilter): Promise<TraceSpans> {
  if (filter.projectIds.length === 0) return toTraceSpans(0, []);
  return readSpansAt(database, await findTracePlace(database, upTo, filter), filter);
}

/**
 * Reads a trace. Log lines are read at the same time as the spans, within the time of the summed spans. If newer spans were found, the
 * lines are read again.
 * @param upTo rows below this ordinal are summed
 */
export async function readTrace(
  database: DuckdbDatabase,
  upTo: number,
  filter: Omit<TraceFilter, "near">,
  { aroundUs, limit }: LinesAround,
): Promise<{ spans: TraceSpans; logs: TraceLog[] }> {
  if (filter.projectIds.length === 0) return { spans: toTraceSpans(0, []), logs: [] };
  const place = await findTracePlace(database, upTo, filter);
  const listLogs = (times: SpanTimes | null) => {
    const near = times && { atUs: times.fromUs, fromUs: times.fromUs - aroundUs, toUs: times.toUs + aroundUs };
    return listTraceLogs(database, { ...filter, limit, ...(near && { near }) });
  };
  const [spans, logs] = await Promise.all([readSpansAt(database, place, filter), place.times && listLogs(place.times)]);
  const times = timesOf(spans);
  const isSame = times?.fromUs === place.times?.fromUs && times?.toUs === place.times?.toUs;
  return { spans, logs: logs !== null && isSame ? logs : await listLogs(times) };
}

/** Null: there are no spans. */
function timesOf({ count, startedUs, durationUs }: TraceSpans): SpanTimes | null {
  if (count === 0) return null;
  let [fromUs, toUs] = [Infinity, -Infinity];
  for (let index = 0; index < count; index++) {
    const started = startedUs[index] as number;
    fromUs = Math.min(fromUs, started);
    toUs = Math.max(toUs, started + (durationUs[index] as number));
  }
  return { fromUs, toUs };
}

async function readSpansAt(
  database: DuckdbDatabase,
  { ranges, addTo }: TracePlace,
  { limit, near, ...filter }: TraceFilter,
): Promise<TraceSpans> {
  const conditions = conditionsOf(filter);
  addTo(conditions);
  const nearest = near && orderByNearness(conditions, near, { from: "started_us", to: "started_us + duration_us" });
  const mayBeMany = nearest === undefined && limit > MAX_FEW;
  const few = mayBeMany ? MAX_FEW + 1 : Math.trunc(limit);
  const [row] = await database.read(() => {
    const source = database.rowsWithin("spans", ranges, READ_COLUMNS);
    const from = nearest
      ? `(FROM ${source} WHERE ${conditions} ORDER BY ${nearest}, ordinal LIMIT ${few})`
      : `${source} WHERE ${conditions}`;
    return `SELECT count(*)::DOUBLE AS count, max(received_at)::DOUBLE AS arrived_at, ${COLUMNS.map((name) => `to_json(list(${name}))::VARCHAR AS ${name}`).join(", ")} FROM (
       SELECT ordinal, format('{:016x}', span_id) AS id, format('{:016x}', parent_span_id) AS parent_id, started_us, duration_us, project_id,
         coalesce(service, '') AS service, op, name, status, http_status, received_at,
         ${REQUEST_URL} AS url
       FROM ${from} ORDER BY ${BY_START} LIMIT ${few}
     )`;
  }, conditions.values);
  const count = Number(row?.count ?? 0);
  if (mayBeMany && count > MAX_FEW) return readManySpans(database, { ranges, conditions }, limit);
  if (row === undefined || count === 0) return toTraceSpans(0, []);
  return toTraceSpans(count, readEach(row, count), Number(row.arrived_at));
}

/** Columns of `spans` that are read. */
const READ_COLUMNS = [
  "ordinal",
  "project_id",
  "received_at",
  "trace_id",
  "span_id",
  "parent_span_id",
  "started_us",
  "duration_us",
  "service",
  "op",
  "name",
  "status",
  "http_status",
  "url",
];

/** Columns of the result. Each arrives as one JSON text: a thousand spans as eleven thousand values would leave 3 MB of garbage. */
const COLUMNS = [
  "ordinal",
  "id",
  "parent_id",
  "started_us",
  "duration_us",
  "project_id",
  "service",
  "op",
  "name",
  "status",
  "http_status",
  "url",
] as const;

function* readEach(row: SqlRow, count: number): Generator<ReadSpan> {
  const [ordinals, ids, parentIds, starts, durations, projectIds, services, ops, names, statuses, httpStatuses, urls] =
    COLUMNS.map((name): unknown => JSON.parse(String(row[name]))) as [
      number[],
      string[],
      Array<string | null>,
      number[],
      number[],
      number[],
      string[],
      Array<string | null>,
      Array<string | null>,
      Array<string | null>,
      Array<number | null>,
      Array<string | null>,
    ];
  for (let index = 0; index < count; index++) {
    const parentId = parentIds[index];
    yield {
      ordinal: ordinals[index] ?? 0,
      id: BigInt(`0x${ids[index]}`),
      parentId: parentId ? BigInt(`0x${parentId}`) : null,
      startedUs: starts[index] ?? 0,
      durationUs: durations[index] ?? 0,
      projectId: projectIds[index] ?? 0,
      service: services[index] ?? "",
      op: ops[index] ?? null,
      name: nameRequest(names[index] ?? null, { op: ops[index] ?? null, url: urls[index] ?? null }),
      status: statuses[index] ?? null,
      httpStatus: httpStatuses[index] ?? null,
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
  const { ranges, addTo } = await findTracePlace(database, upTo, filter);
  const conditions = conditionsOf(filter);
  addTo(conditions);
  conditions.add(toConditionSql(where, createSpanDialect(conditions, NO_HOT_COLUMNS)));
  const [ordinals = new Float64Array()] = await database.readNumbers(
    () =>
      `SELECT ordinal::DOUBLE FROM ${database.rowsWithin("spans", ranges)} WHERE ${conditions} LIMIT ${Math.trunc(limit)}`,
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
  const place = { firstOrdinal: ordinal, lastOrdinal: ordinal };
  const [row] = await database.read(
    () =>
      `SELECT ordinal::DOUBLE AS ordinal, ${toSelection(SPAN_ROWS)} FROM ${database.rowsWithin("spans", [place])} WHERE ${conditions}`,
    conditions.values,
  );
  return row === undefined ? null : toSpanRow(await readWhole(database, SPAN_ROWS, row, readCells(SPAN_ROWS, row)));
}

function conditionsOf({ projectIds, traceId }: Omit<TraceFilter, "limit" | "near">): SqlConditions {
  const conditions = new SqlConditions();
  return conditions.add(`trace_id = ${conditions.bind(traceId)}::UUID`).addProjects(projectIds);
}

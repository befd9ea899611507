import { DAY_MS } from "../../domain/time.ts";
import type { FoundTrace, FoundTraces, SpanSearchFilter } from "../events/span-search.ts";
import type { TraceSummary } from "../events/span-sums.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { hasFiles, readNewestFirst, type Times } from "./newest-first.ts";
import { toSpanConditions } from "./span-conditions.ts";
import type { SpanPieces } from "./span-pieces.ts";
import { findSpanReach, toReach } from "./span-reach.ts";
import { toSource } from "./span-source.ts";
import { SqlConditions } from "./sql-conditions.ts";
import { readTraceSummaries } from "./trace-summaries.ts";

const MAX_PAGE = 100;
/** Matching spans that are read for one page. If they belong to few traces, the page is short, and the next one continues after them. */
const SPANS_PER_PAGE = 20_000;
/** Spans that are read at first: enough for most pages. */
const SPANS_AT_FIRST = 2_000;

/** The place of a trace in the list: that of its newest matching span. */
interface Place {
  at: number;
  id: string;
}

/**
 * Lists traces with matching spans, newest first.
 * @param upTo rows below this ordinal are summed
 */
export async function findTraces(
  database: DuckdbDatabase,
  pieces: SpanPieces,
  upTo: number,
  filter: SpanSearchFilter,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<FoundTraces> {
  if (filter.projectIds.length === 0) return { traces: [], nextCursor: null, searchedFrom: null };
  const size = Math.min(MAX_PAGE, Math.max(1, Math.trunc(limit)));
  const reach = await findSpanReach(database, pieces, upTo, filter, []);
  const { firstOrdinal } = reach;
  const before = readCursor(cursor);
  const read = async (times: Times) => {
    const list = (limit: number) => {
      const conditions = toSpanConditions({ ...filter, ...times }, firstOrdinal, database.hotColumnsOf("spans"));
      return listNewest(database, toSource(database, times, firstOrdinal), conditions, { before, limit });
    };
    const first = await list(SPANS_AT_FIRST);
    return first.lookedAt < SPANS_AT_FIRST || first.places.length > size ? first : await list(SPANS_PER_PAGE);
  };
  // To the end of the cursor's millisecond.
  const to = before === null ? filter.to : Math.min(filter.to, Math.floor(before.at / 1000) + 1);
  const parts = hasFiles(database, "spans") ? readNewestFirst({ from: filter.from, to }, read) : [read(filter)];
  const found = new Map<string, Place>();
  let lookedAt = 0;
  for await (const part of parts) {
    for (const place of part.places) if (!found.has(place.id)) found.set(place.id, place);
    lookedAt += part.lookedAt;
    if (found.size > size || lookedAt >= SPANS_PER_PAGE) break;
  }
  const places = [...found.values()].slice(0, size);
  const last = places.at(-1);
  const hasMore = found.size > size || lookedAt >= SPANS_PER_PAGE;
  const traces = await readFound(database, upTo, { filter, firstOrdinal, ids: places.map(({ id }) => id) });
  return {
    // A trace whose newest matching span is on an earlier page is listed there already.
    traces: traces.filter(
      ({ matchedUs, traceId }) => before === null || isBehind({ at: matchedUs, id: traceId }, before),
    ),
    nextCursor: hasMore && last ? `${last.at}-${last.id}` : null,
    ...toReach(reach),
  };
}

function readCursor(cursor: string | null): Place | null {
  const [, at, id] = /^(\d{1,16})-([0-9a-f]{32})$/.exec(cursor ?? "") ?? [];
  return at === undefined || id === undefined ? null : { at: Number(at), id };
}

function isBehind(place: Place, other: Place): boolean {
  return place.at < other.at || (place.at === other.at && place.id > other.id);
}

async function listNewest(
  database: DuckdbDatabase,
  source: () => string,
  conditions: SqlConditions,
  { before, limit }: { before: Place | null; limit: number },
): Promise<{ places: Place[]; lookedAt: number }> {
  if (before) conditions.add(`started_us <= ${conditions.bind(before.at)}`);
  const rows = await database.read(
    () => `SELECT replace(found.trace_id::VARCHAR, '-', '') AS id, max(found.started_us)::DOUBLE AS newest_us, count(*)::DOUBLE AS spans
     FROM (SELECT trace_id, started_us FROM ${source()} WHERE ${conditions} ORDER BY spans.started_us DESC LIMIT ${limit}) AS found
     GROUP BY found.trace_id ORDER BY newest_us DESC, id`,
    conditions.values,
  );
  const places = rows.map(({ id, newest_us }): Place => ({ at: Number(newest_us), id: String(id) }));
  return {
    places: places.filter((place) => before === null || isBehind(place, before)),
    lookedAt: rows.reduce((sum, { spans }) => sum + Number(spans), 0),
  };
}

async function readFound(
  database: DuckdbDatabase,
  upTo: number,
  { filter, firstOrdinal, ids }: { filter: SpanSearchFilter; firstOrdinal: number | null; ids: readonly string[] },
): Promise<FoundTrace[]> {
  const summaries = await readTraceSummaries(database, upTo, { projectIds: filter.projectIds, traceIds: ids });
  const within = { ...filter, ...toTimes(filter, summaries) };
  const [matched, errors] = await Promise.all([
    countMatched(
      database,
      toSource(database, within, firstOrdinal),
      toSpanConditions(within, firstOrdinal, database.hotColumnsOf("spans")),
      ids,
    ),
    countErrors(database, filter, ids),
  ]);
  return ids.flatMap((traceId): FoundTrace[] => {
    const [summary, found] = [summaries.get(traceId), matched.get(traceId)];
    if (summary === undefined || found === undefined) return [];
    return [{ ...summary, ...found, traceId, errors: errors.get(traceId) ?? 0 }];
  });
}

/** The part of the filter's time in which spans of the traces began. */
function toTimes({ from, to }: Times, summaries: ReadonlyMap<string, TraceSummary>): Times {
  if (summaries.size === 0) return { from, to };
  const all = [...summaries.values()];
  const firstUs = Math.min(...all.map((summary) => summary.firstUs));
  const lastUs = Math.max(...all.map((summary) => summary.lastUs));
  return { from: Math.max(from, Math.floor(firstUs / 1000)), to: Math.min(to, Math.floor(lastUs / 1000) + 1) };
}

async function countMatched(
  database: DuckdbDatabase,
  source: () => string,
  conditions: SqlConditions,
  ids: readonly string[],
): Promise<Map<string, { matched: number; matchedUs: number }>> {
  if (ids.length === 0) return new Map();
  conditions.add(`trace_id IN (${ids.map((id) => `${conditions.bind(id)}::UUID`).join(", ")})`);
  const rows = await database.read(
    () => `SELECT replace(trace_id::VARCHAR, '-', '') AS id, count(*)::DOUBLE AS matched, max(started_us)::DOUBLE AS newest_us
     FROM ${source()} WHERE ${conditions} GROUP BY trace_id`,
    conditions.values,
  );
  return new Map(
    rows.map((row) => [String(row.id), { matched: Number(row.matched), matchedUs: Number(row.newest_us) }]),
  );
}

/** Counts the events of traces. Their times may differ from those of the spans by a day. */
async function countErrors(
  database: DuckdbDatabase,
  { projectIds, from, to }: SpanSearchFilter,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const conditions = new SqlConditions()
    .addProjects(projectIds)
    .addRange("occurred_at", from - DAY_MS, to + DAY_MS)
    .addOneOf("trace_id", ids);
  const rows = await database.read(
    `SELECT trace_id AS id, count(*)::DOUBLE AS errors FROM events WHERE ${conditions} GROUP BY trace_id`,
    conditions.values,
  );
  return new Map(rows.map(({ id, errors }) => [String(id), Number(errors)]));
}

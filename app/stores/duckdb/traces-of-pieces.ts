import type { DuckDBConnection } from "@duckdb/node-api";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { OrdinalRange } from "./identity-index.ts";

// Tells which pieces of events may have events of a trace: each piece of 20,000 has a Bloom filter. Without it, the events of a trace are
// searched among all events: 35 ms of processor time for 1,000,000.

/**
 * 2^18 positions. With three bits for each of 20,000 traces, one in a hundred pieces without the trace is read in vain. At most 32 KB a
 * piece, 1.6 bytes an event.
 */
const POSITION_BITS = 18;
const POSITIONS = 2 ** POSITION_BITS;
const PROBES = 3;
/** With more ranges, all events are read. */
const MAX_RANGES = 16;

/** SQL of the hash of a trace id, 64 bits. */
const hashOf = (traceId: string) => `md5_number_lower(${traceId})`;
const positionOf = (hash: string, probe: number) =>
  `((${hash} >> ${probe * POSITION_BITS}) & ${POSITIONS - 1})::INTEGER`;
const PROBE_NUMBERS = Array.from({ length: PROBES }, (_, probe) => probe);

/** SQL of the filter of some events: one value. */
export function toTraceFilter(where: string): string {
  const positions = PROBE_NUMBERS.map((probe) => positionOf("hash", probe));
  return `(
    SELECT coalesce(bitstring_agg(position, 0, ${POSITIONS - 1}), repeat('0', ${POSITIONS})::BIT)
    FROM (SELECT unnest([${positions.join(", ")}]) AS position FROM (SELECT ${hashOf("trace_id")} AS hash FROM events WHERE trace_id <> '' AND ${where})))`;
}

/** In a transaction, makes the filter of the newest piece without one. False: all pieces have one. */
export async function addTraceFilter(connection: DuckDBConnection): Promise<boolean> {
  const read = await connection.runAndReadAll(
    "SELECT start::DOUBLE, chunk::DOUBLE FROM event_pieces WHERE traces IS NULL ORDER BY chunk DESC LIMIT 1",
  );
  const [piece] = read.getRows();
  if (piece === undefined) return false;
  const filter = toTraceFilter(`ordinal >= ${Number(piece[0])} AND ordinal < ${Number(piece[1])}`);
  await connection.run(`UPDATE event_pieces SET traces = ${filter} WHERE chunk = ${Number(piece[1])}`);
  return true;
}

/**
 * SQL of a table `events` with all events of a trace, and few others.
 * @param upTo events below this ordinal are in pieces
 */
export async function toEventsOfTrace(database: DuckdbDatabase, traceId: string, upTo: number): Promise<string> {
  const isIn = PROBE_NUMBERS.map((probe) => `get_bit(traces, ${positionOf(hashOf("$1"), probe)}) = 1`);
  const rows = await database.read(
    `SELECT start::DOUBLE AS start, chunk::DOUBLE AS chunk FROM event_pieces
     WHERE chunk <= ${upTo} AND (traces IS NULL OR (${isIn.join(" AND ")})) ORDER BY chunk`,
    [traceId],
  );
  const ranges: OrdinalRange[] = [];
  for (const row of rows) {
    const [from, to] = [Number(row.start), Number(row.chunk)];
    const last = ranges.at(-1);
    if (last?.to === from) last.to = to;
    else ranges.push({ from, to });
  }
  if (ranges.length > MAX_RANGES) return "events";
  // One query for each range: if ranges are joined by OR, DuckDB reads all rows.
  const parts = ranges.map(({ from, to }) => `SELECT * FROM events WHERE ordinal >= ${from} AND ordinal < ${to}`);
  return `(${[...parts, `SELECT * FROM events WHERE ordinal >= ${upTo}`].join(" UNION ALL ")}) AS events`;
}

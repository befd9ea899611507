import type { SpanKind, TraceSpans } from "../../domain/traces/trace-spans.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlValue } from "./duckdb-reader.ts";
import { IS_BARE_METHOD } from "./span-sum-sql.ts";
import type { SqlConditions } from "./sql-conditions.ts";
import type { TracePlace } from "./trace-place.ts";

export const BY_START = "started_us, duration_us DESC, ordinal";

/** Characters of a name. The whole name is read with the single span. */
const MAX_NAME_LENGTH = 300;
/** Kinds of a trace with their exact names. With more kinds, `name_group` replaces the name. */
const MAX_KINDS = 100_000;
/** Two kinds have the same hash of 53 bits so rarely that a second try almost never happens. */
const MAX_TRIES = 3;
/** The kind of spans whose kind was deleted between the two queries. */
const GONE: SpanKind = { projectId: 0, service: "", op: null, name: null, status: null, httpStatus: null };

interface SpanPlace {
  ranges: TracePlace["ranges"];
  conditions: SqlConditions;
}

/** Reads spans as numbers, with each different kind once: a million names as strings would take a gigabyte, and seconds of this thread. */
export async function readManySpans(database: DuckdbDatabase, place: SpanPlace, limit: number): Promise<TraceSpans> {
  const read = (name: string, salt: number) => readKinds(database, place, { name, salt });
  for (let salt = 0; salt < MAX_TRIES; salt++) {
    let name = `left(CASE WHEN ${IS_BARE_METHOD} THEN name_group ELSE name END, ${MAX_NAME_LENGTH})`;
    let { kinds, arrivedAt, isWhole, isClear } = await read(name, salt);
    if (!isWhole) {
      name = `left(name_group, ${MAX_NAME_LENGTH})`;
      ({ kinds, arrivedAt, isWhole, isClear } = await read(name, salt));
    }
    if (isClear) return readNumbers(database, place, { kinds, arrivedAt, key: toKey(name, salt), limit });
  }
  throw new Error("kinds of spans cannot be told apart by their hashes");
}

/** SQL for the key of a kind: 53 bits, which fit into a number. */
function toKey(name: string, salt: number): string {
  return `(hash(project_id, service, op, ${name}, status, http_status, ${salt}) >> 11)::DOUBLE`;
}

interface Kinds {
  /** Kinds by their key. */
  kinds: Map<number, SpanKind>;
  /** See `TraceSpans`. */
  arrivedAt: number | null;
  isWhole: boolean;
  /** Whether each key stands for one kind. */
  isClear: boolean;
}

async function readKinds(
  database: DuckdbDatabase,
  { ranges, conditions }: SpanPlace,
  { name, salt }: { name: string; salt: number },
): Promise<Kinds> {
  const [keys = [], arrivals = [], ...cells] = await database.readColumns(
    () =>
      `SELECT ${toKey(name, salt)} AS key, max(received_at)::DOUBLE, project_id::DOUBLE, coalesce(service, ''), op, ${name} AS title, status, http_status::DOUBLE
     FROM ${database.rowsWithin("spans", ranges)} WHERE ${conditions}
     GROUP BY key, project_id, service, op, title, status, http_status LIMIT ${MAX_KINDS + 1}`,
    conditions.values,
  );
  const kinds = new Map<number, SpanKind>();
  for (const [row, key] of keys.slice(0, MAX_KINDS).entries())
    kinds.set(Number(key), toKind(cells.map((column) => column[row] ?? null)));
  const arrivedAt = arrivals.reduce<number>((last, at) => Math.max(last, Number(at)), 0);
  return {
    kinds,
    arrivedAt: arrivals.length === 0 ? null : arrivedAt,
    isWhole: keys.length <= MAX_KINDS,
    isClear: kinds.size === Math.min(keys.length, MAX_KINDS),
  };
}

async function readNumbers(
  database: DuckdbDatabase,
  { ranges, conditions }: SpanPlace,
  {
    kinds,
    arrivedAt,
    key,
    limit,
  }: { kinds: ReadonlyMap<number, SpanKind>; arrivedAt: number | null; key: string; limit: number },
): Promise<TraceSpans> {
  const low = (column: string) => `(${column} & 4294967295)::DOUBLE`;
  const high = (column: string) => `(${column} >> 32)::DOUBLE`;
  const parent = "coalesce(parent_span_id, 0)";
  const columns = await database.readNumbers(
    () =>
      `SELECT ordinal::DOUBLE, started_us::DOUBLE, duration_us::DOUBLE, ${key}, ${low("span_id")}, ${high("span_id")},
            ${low(parent)}, ${high(parent)}
     FROM ${database.rowsWithin("spans", ranges)} WHERE ${conditions} ORDER BY ${BY_START} LIMIT ${Math.trunc(limit)}`,
    conditions.values,
  );
  const [ordinals, startedUs, durationUs, keys, ...ids] = columns as [
    Float64Array<ArrayBuffer>,
    Float64Array<ArrayBuffer>,
    Float64Array<ArrayBuffer>,
    ...Float64Array<ArrayBuffer>[],
  ];
  const places = new Map([...kinds.keys()].map((each, place) => [each, place]));
  const gone = places.size;
  return {
    count: ordinals.length,
    ordinals,
    startedUs,
    durationUs,
    ids: joinHalves(ids[0], ids[1]),
    parentIds: joinHalves(ids[2], ids[3]),
    kindOf: Uint32Array.from(keys ?? [], (each) => places.get(each) ?? gone),
    kinds: [...kinds.values(), GONE],
    arrivedAt,
  };
}

/** Joins 32-bit halves to numbers of 64 bits, without a BigInt for each. */
function joinHalves(low: Float64Array = new Float64Array(), high: Float64Array = new Float64Array()): BigUint64Array {
  const joined = new BigUint64Array(low.length);
  const halves = new Uint32Array(joined.buffer);
  for (let index = 0; index < low.length; index++) {
    halves[2 * index] = low[index] as number;
    halves[2 * index + 1] = high[index] as number;
  }
  return joined;
}

/** @param cells project, service, op, name, status and HTTP status */
function toKind([projectId, service, op, name, status, httpStatus]: readonly SqlValue[]): SpanKind {
  return {
    projectId: Number(projectId),
    service: String(service),
    op: op as string | null,
    name: name as string | null,
    status: status as string | null,
    httpStatus: httpStatus as number | null,
  };
}

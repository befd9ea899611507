import type { DuckDBConnection } from "@duckdb/node-api";
import { TAG_COLUMNS } from "../events/tag-columns.ts";
import { escapeTagKey } from "../events/tag-text.ts";
import { toEventUsers, USER_HASHES } from "./event-users.ts";
import { toTraceFilter } from "./traces-of-pieces.ts";

// The sums of tags. Events are summed in pieces. For each key and value, `event_tags` has the ordinals of the piece's events with that tag,
// and their places within the piece, by which most searches find issues without reading events (see find-summed-issues.ts). Of tags that
// are columns, and of users, it has only the number of events: searches use the columns. Only the newest events, which are not summed yet,
// are searched in the text of their tags.

const COLUMNS: Readonly<Record<string, string>> = { ...TAG_COLUMNS, user: "user_key" };
const KEYS_OF_COLUMNS = toList(Object.keys(COLUMNS).map((key) => `'${escapeTagKey(key)}'`));
/** The most frequent values that are kept per column, project and piece. A project may have more users than are worth counting. */
const VALUES_PER_COLUMN = 1_000;

const KEY = "split_part(pair, '=', 1)";
const VALUE = "substr(pair, instr(pair, '=') + 1)";

const IS_COLUMN = `${KEY} IN (${KEYS_OF_COLUMNS})`;
const KIND = `CASE WHEN ${IS_COLUMN} THEN 'copied' ELSE 'value' END`;

/** The most events of one piece: a bit for each place. */
export const PIECE_EVENTS = 20_000;
/** Places of fewer events are stored as a list: bits take 2,500 bytes. */
const DENSE_EVENTS = 600;

/** SQL of the tags of events, one per row, from the tag texts. `source`: the table of the events. */
function toPairs(where: string, source = "events"): string {
  return `SELECT *, unnest(string_split(tags[2:-2], chr(10))) AS pair FROM ${source} WHERE tags <> '' AND ${where}`;
}

/** SQL of events with their places in their piece. */
function toPlaced(where: string, ...columns: readonly string[]): string {
  return `
    SELECT ${["project_id", "issue_id", "environment", "ordinal", ...columns].join(", ")},
      row_number() OVER (ORDER BY project_id, issue_id, environment, ordinal) - 1 AS place
    FROM events WHERE ${where}`;
}

/** SQL of the tags that are columns, one per row, escaped like other tags. */
function toColumnTags(where: string): string {
  const columns = toList(Object.values(COLUMNS));
  return `
    SELECT project_id, ordinal, key, replace(replace(text, '\\', '\\\\'), chr(10), '\\n') AS value
    FROM (SELECT project_id, ordinal, unnest([${KEYS_OF_COLUMNS}]) AS key, unnest([${columns}]) AS text FROM events WHERE ${where})
    WHERE text <> ''`;
}

/** SQL of all tags of events, one per row for each kind of row of `event_tags`. `key` and `value` are escaped. */
export function toTags(where: string): string {
  const pairs = `SELECT project_id, ordinal, ${KIND} AS kind, ${KEY} AS key, ${VALUE} AS value FROM (${toPairs(where)})`;
  return `
    SELECT * FROM (${pairs})
    UNION ALL (SELECT project_id, ordinal, 'key' AS kind, key, '' AS value FROM (${pairs}) WHERE kind = 'value')
    UNION ALL (SELECT project_id, ordinal, 'column' AS kind, key, value FROM (${toColumnTags(where)}))`;
}

/** The rows of `event_tags` and of `toTags` whose events autocompletion counts. */
export const IS_COUNTED = "kind IN ('value', 'column')";

/** SQL of how many events have each value of a column. */
export function toCountedColumns(where: string): string {
  return `
    SELECT 0 AS version, project_id, 'column' AS kind, md5_number_lower(key) AS key_hash, key, value, count(*) AS events,
      []::BIGINT[] AS ordinals, NULL AS places, NULL AS bits
    FROM (${toColumnTags(where)}) GROUP BY project_id, key, value
    QUALIFY row_number() OVER (PARTITION BY project_id, key ORDER BY events DESC, value) <= ${VALUES_PER_COLUMN}`;
}

/** SQL of the places and times of each issue's events in the piece. */
export function toEventIssues(where: string): string {
  return `
    SELECT 0 AS version, project_id, issue_id, environment, min(place) AS first_place, count(*) AS events,
      min(occurred_at) AS first_at, max(occurred_at) AS last_at
    FROM (${toPlaced(where, "occurred_at")}) GROUP BY project_id, issue_id, environment ORDER BY first_place`;
}

export function toUsersOfEvents(where: string): string {
  return toEventUsers(toPlaced(where, "user_key", "user_name"));
}

export function toEventPiece(where: string): string {
  return `
    SELECT min(start) AS start, 0 AS version, sum(events) AS events, count(*) AS issues, NULL AS stale_since, ${toTraceFilter(where)} AS traces
    FROM (SELECT min(ordinal) AS start, count(*) AS events FROM events WHERE ${where} GROUP BY project_id, issue_id, environment)
    HAVING count(*) > 0`;
}

/**
 * SQL of all tags, sorted so that a search for one value reads few rows. Keys and values are escaped. An event has a tag only once
 * (normalize-tags.ts). Three things keep its memory small: texts are joined to the places, not sorted with them; whole pairs are
 * grouped, not keys and values; and lists have distances from the first ordinal, of half the size.
 */
export function toEventTags(where: string): string {
  return `
    WITH start AS (SELECT min(ordinal) AS ordinal FROM events WHERE ${where}),
    placed AS (
      SELECT events.project_id, (ordinal - (SELECT ordinal FROM start))::UINTEGER AS ordinal, tags, place
      FROM events JOIN (${toPlaced(where)}) USING (ordinal) WHERE ${where}
    ), pairs AS MATERIALIZED (
      SELECT project_id, ${KIND} AS kind, ${KEY} AS key, ${VALUE} AS value, events, ordinals, places
      FROM (
        SELECT project_id, pair, count(*) AS events, list_sort(list(ordinal)) AS ordinals, list(place::USMALLINT) AS places
        FROM (${toPairs("true", "placed")}) WHERE NOT starts_with(pair, 'user=') GROUP BY project_id, pair
      )
    ), keys AS MATERIALIZED (
      SELECT project_id, key, sum(events)::BIGINT AS events, flatten(list(places)) AS places FROM pairs WHERE kind = 'value' GROUP BY project_id, key
    ), marks AS (
      SELECT project_id, kind, key, value, events, CASE WHEN kind = 'value' THEN ordinals ELSE [] END AS ordinals, places FROM pairs
      UNION ALL SELECT project_id, 'key' AS kind, key, '' AS value, events, [] AS ordinals, places FROM keys
    ), dense AS (
      SELECT project_id, kind, key, value, bitstring_agg(place, 0, ${PIECE_EVENTS - 1}) AS bits
      FROM (SELECT project_id, kind, key, value, unnest(places)::INTEGER AS place FROM marks WHERE events >= ${DENSE_EVENTS})
      GROUP BY project_id, kind, key, value
    )
    SELECT 0 AS version, marks.project_id, marks.kind, md5_number_lower(marks.key) AS key_hash, marks.key, marks.value, marks.events,
      list_transform(marks.ordinals, lambda each: each + start.ordinal) AS ordinals, CASE WHEN dense.bits IS NULL THEN marks.places END AS places, dense.bits
    FROM marks CROSS JOIN start LEFT JOIN dense USING (project_id, kind, key, value)
    ORDER BY marks.kind, key_hash, marks.value, marks.project_id`;
}

/** SQL that is true for the rows of a key. `key`: the placeholder of the escaped key. */
export function isOfKey(key: string): string {
  return `key_hash = md5_number_lower(${key}) AND key = ${key}`;
}

/** Ordinals of events; `to` is exclusive. */
export interface OrdinalRange {
  from: number;
  to: number;
}

/**
 * SQL that is true for events of the range with a value of the key that passes. `key`: the placeholder of the escaped key. `value`: SQL
 * that tests the escaped `value`.
 */
export function toTagMembership({ from, to }: OrdinalRange, key: string, value: string): string {
  // Bits, because a join with nearly all events takes seven times as long. The last bit is never set.
  const last = Math.max(1, to - from);
  const bits = `SELECT bitstring_agg(place, 0, ${last}) FROM (
    SELECT unnest(ordinals) - ${from} AS place FROM event_tags WHERE chunk > ${from} AND chunk <= ${to} AND kind = 'value' AND ${isOfKey(key)} AND ${value}
  ) WHERE place >= 0`;
  return `get_bit((${bits}), greatest(0, least(ordinal - ${from}, ${last}))::INTEGER) = 1`;
}

/** The pieces. A piece contains the ordinals below its `chunk` that are not in an earlier one. */
const CHUNKS = "SELECT chunk FROM event_pieces";

/** The tables of sums, and the SQL that makes their rows from a piece of events. */
const SUMS = [
  { table: "event_tags", toSql: toEventTags },
  { table: "event_tags", toSql: toCountedColumns },
  { table: "event_issues", toSql: toEventIssues },
  { table: "event_users", toSql: toUsersOfEvents },
  { table: "event_pieces", toSql: toEventPiece },
];

/**
 * Subtracts single events from the sums of tags, and removes their users, in the transaction that deletes the events and before it does.
 * `gone`: SQL of their ordinals.
 */
export async function forgetTagsOfEvents(connection: DuckDBConnection, gone: string, values: string[]): Promise<void> {
  await noteStalePlaces(connection, gone, values);
  await connection.run(
    `UPDATE event_tags SET events = event_tags.events - lost.events
     FROM (
       SELECT chunk, project_id, kind, key, value, count(*) AS events
       FROM (${toTags(`ordinal IN (${gone})`)}) AS tags ASOF JOIN (${CHUNKS}) AS chunks ON tags.ordinal < chunks.chunk
       GROUP BY ALL
     ) AS lost
     WHERE event_tags.chunk = lost.chunk AND event_tags.project_id = lost.project_id
       AND event_tags.kind = lost.kind AND event_tags.key = lost.key AND event_tags.value = lost.value`,
    values,
  );
  await connection.run("DELETE FROM event_tags WHERE events <= 0");
  // Other events may have the same user. But the piece is stale, and nobody reads the places of a stale piece.
  await connection.run(
    `DELETE FROM event_users USING (
       SELECT DISTINCT chunk, user_hash
       FROM (SELECT ordinal, ${USER_HASHES} AS user_hash FROM events WHERE ordinal IN (${gone})) AS users
       ASOF JOIN (${CHUNKS}) AS chunks ON users.ordinal < chunks.chunk
     ) AS lost
     WHERE event_users.chunk = lost.chunk AND event_users.user_hash = lost.user_hash`,
    values,
  );
}

/**
 * Marks pieces as stale: their places are wrong until they are summed again. `changed`: SQL of the ordinals of events that are deleted or
 * have moved to another issue. In the same transaction.
 */
export async function noteStalePlaces(connection: DuckDBConnection, changed: string, values: string[]): Promise<void> {
  await connection.run(
    `UPDATE event_pieces SET stale_since = epoch_ms(now())
     WHERE stale_since IS NULL AND chunk IN (
       SELECT DISTINCT chunks.chunk FROM (${changed}) AS changed (ordinal) ASOF JOIN (${CHUNKS}) AS chunks ON changed.ordinal < chunks.chunk
     )`,
    values,
  );
}

/**
 * In a transaction, sums the newest stale piece again. It must be stale for some time, because moves and deletions come in groups. False:
 * there is none.
 */
export async function sumStalePlaces(connection: DuckDBConnection, staleBefore: number): Promise<boolean> {
  const read = await connection.runAndReadAll(
    "SELECT start::DOUBLE, chunk::DOUBLE FROM event_pieces WHERE stale_since <= $1 ORDER BY chunk DESC LIMIT 1",
    [staleBefore],
  );
  const [piece] = read.getRows();
  if (piece === undefined) return false;
  await sumPiece(connection, { from: Number(piece[0]), to: Number(piece[1]) });
  return true;
}

/** In a transaction, joins neighbouring pieces that few events a minute have made. False: there are none. */
export async function joinSmallPieces(connection: DuckDBConnection): Promise<boolean> {
  const read = await connection.runAndReadAll(
    "SELECT start::DOUBLE, chunk::DOUBLE, events::DOUBLE FROM event_pieces ORDER BY chunk",
  );
  const pieces = read
    .getRows()
    .map(([from, to, events]) => ({ from: Number(from), to: Number(to), events: Number(events) }));
  const joined = findSmallPieces(pieces);
  if (joined === null) return false;
  await sumPiece(connection, joined);
  return true;
}

/** This many pieces are joined, even if later pieces would fit, too. */
const MANY_PIECES = 60;

/** Finds neighbouring pieces, each at most half full, that fit into one. In the end, an event is summed again about twice. */
export function findSmallPieces(pieces: ReadonlyArray<OrdinalRange & { events: number }>): OrdinalRange | null {
  for (let first = 0; first < pieces.length; first++) {
    let [last, sum] = [first - 1, 0];
    for (let next = pieces[first]; next && next.events <= PIECE_EVENTS / 2 && sum + next.events <= PIECE_EVENTS; ) {
      last++;
      sum += next.events;
      if (last + 1 - first === MANY_PIECES) break;
      next = pieces[last + 1];
    }
    const count = last + 1 - first;
    const isClosed = last + 1 < pieces.length;
    const [from, to] = [pieces[first]?.from, pieces[last]?.to];
    if (count >= 2 && (isClosed || count === MANY_PIECES) && from !== undefined && to !== undefined)
      return { from, to };
  }
  return null;
}

/**
 * Deletes the events of whole days, and sums the other events of their pieces again. `deleteRows` runs in the same transaction. Only one or
 * two pieces have other events, because days follow each other.
 */
export async function sumTagsAgain(
  connection: DuckDBConnection,
  goneWhere: string,
  deleteRows: () => Promise<void>,
): Promise<void> {
  const read = await connection.runAndReadAll(
    `SELECT DISTINCT pieces.start::DOUBLE, pieces.chunk::DOUBLE
     FROM (SELECT ordinal FROM events WHERE ${goneWhere}) AS gone ASOF JOIN event_pieces AS pieces ON gone.ordinal < pieces.chunk`,
  );
  await deleteRows();
  for (const [from, to] of read.getRows()) await sumPiece(connection, { from: Number(from), to: Number(to) });
}

/** Replaces all pieces of the range by a single new one. */
async function sumPiece(connection: DuckDBConnection, { from, to }: OrdinalRange): Promise<void> {
  const isOfRange = `chunk > ${from} AND chunk <= ${to}`;
  const read = await connection.runAndReadAll(`SELECT max(version)::DOUBLE FROM event_pieces WHERE ${isOfRange}`);
  const version = Number(read.getRows()[0]?.[0] ?? 0) + 1;
  for (const table of new Set(SUMS.map(({ table }) => table)))
    await connection.run(`DELETE FROM ${table} WHERE ${isOfRange}`);
  for (const { table, toSql } of SUMS)
    await connection.run(
      `INSERT INTO ${table} BY NAME SELECT ${to}::BIGINT AS chunk, * REPLACE (${version} AS version)
       FROM (${toSql(`ordinal >= ${from} AND ordinal < ${to}`)})`,
    );
}

function toList(texts: readonly string[]): string {
  return texts.join(", ");
}

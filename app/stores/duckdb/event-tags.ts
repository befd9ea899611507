import type { DuckDBConnection } from "@duckdb/node-api";
import { TAG_COLUMNS } from "../events/tag-columns.ts";
import { escapeTagKey } from "../events/tag-text.ts";

// Which events have a tag: the ordinals of each key and value, in pieces. Only the newest events are looked for in the texts of their tags.
// Of tags that are columns, and of users, only the number of events is kept: they are searched in their columns.

const COLUMNS: Readonly<Record<string, string>> = { ...TAG_COLUMNS, user: "user_key" };
const KEYS_OF_COLUMNS = toList(Object.keys(COLUMNS).map((key) => `'${escapeTagKey(key)}'`));
/** Of a column, project and piece: the most frequent ones. A project may have more users than events are worth counting. */
const VALUES_PER_COLUMN = 1_000;

const KEY = "split_part(pair, '=', 1)";
const VALUE = "substr(pair, instr(pair, '=') + 1)";

/** The tags of events that are no columns, one a row, as they are in the texts of tags. */
function toPairs(where: string): string {
  return `
    SELECT project_id, ordinal, pair
    FROM (SELECT project_id, ordinal, unnest(string_split(tags[2:-2], chr(10))) AS pair FROM events WHERE tags <> '' AND ${where})
    WHERE ${KEY} NOT IN (${KEYS_OF_COLUMNS})`;
}

/** The tags of events that are columns, one a row, escaped as others are. */
function toColumnTags(where: string): string {
  const columns = toList(Object.values(COLUMNS));
  return `
    SELECT project_id, ordinal, key, replace(replace(text, '\\', '\\\\'), chr(10), '\\n') AS value
    FROM (SELECT project_id, ordinal, unnest([${KEYS_OF_COLUMNS}]) AS key, unnest([${columns}]) AS text FROM events WHERE ${where})
    WHERE text <> ''`;
}

/** All tags of events, one a row: `key` and `value` are escaped. */
export function toTags(where: string): string {
  return `SELECT project_id, ordinal, ${KEY} AS key, ${VALUE} AS value FROM (${toPairs(where)}) UNION ALL (${toColumnTags(where)})`;
}

/** How many events have each value of a column. */
export function toCountedColumns(where: string): string {
  return `
    SELECT project_id, key, value, count(*) AS events, []::BIGINT[] AS ordinals FROM (${toColumnTags(where)}) GROUP BY project_id, key, value
    QUALIFY row_number() OVER (PARTITION BY project_id, key ORDER BY events DESC, value) <= ${VALUES_PER_COLUMN}`;
}

/**
 * In an order in which a search for one value reads few places. Keys and values are escaped. An event that has a tag twice counts twice,
 * here and when it is deleted. Whole pairs are grouped, which takes less memory than keys and values.
 */
export function toEventTags(where: string): string {
  return `
    SELECT project_id, ${KEY} AS key, ${VALUE} AS value, events, ordinals FROM (
      SELECT project_id, pair, count(*) AS events, list(ordinal ORDER BY ordinal) AS ordinals
      FROM (${toPairs(where)}) GROUP BY project_id, pair
    ) ORDER BY key, value, project_id`;
}

/** Ordinals of events, exclusive `to`. */
export interface OrdinalRange {
  from: number;
  to: number;
}

/** SQL that is true for events of the range that have a value of the key that fits. `value`: SQL of `value`, escaped; both are bound. */
export function toTagMembership({ from, to }: OrdinalRange, key: string, value: string): string {
  // A bit for each event, because joining with nearly all of them takes seven times as long. The last one is never set.
  const last = Math.max(1, to - from);
  const bits = `SELECT bitstring_agg(place, 0, ${last}) FROM (
    SELECT unnest(ordinals) - ${from} AS place FROM event_tags WHERE chunk > ${from} AND chunk <= ${to} AND key = ${key} AND ${value}
  ) WHERE place >= 0`;
  return `get_bit((${bits}), greatest(0, least(ordinal - ${from}, ${last}))::INTEGER) = 1`;
}

/** The piece that an ordinal is in. */
const CHUNKS = "SELECT DISTINCT chunk FROM event_tags";

/**
 * Before single events are deleted: tags that no other event has go with them. `gone`: SQL of their ordinals. In the same transaction.
 */
export async function forgetTagsOfEvents(connection: DuckDBConnection, gone: string, values: string[]): Promise<void> {
  await connection.run(
    `UPDATE event_tags SET events = event_tags.events - lost.events
     FROM (
       SELECT chunk, project_id, key, value, count(*) AS events
       FROM (${toTags(`ordinal IN (${gone})`)}) AS tags ASOF JOIN (${CHUNKS}) AS chunks ON tags.ordinal < chunks.chunk
       GROUP BY ALL
     ) AS lost
     WHERE event_tags.chunk = lost.chunk AND event_tags.project_id = lost.project_id
       AND event_tags.key = lost.key AND event_tags.value = lost.value`,
    values,
  );
  await connection.run("DELETE FROM event_tags WHERE events <= 0");
}

/**
 * When events of whole days are deleted: `deleteRows` runs in between, in the same transaction. Of the pieces that had such events, what is
 * left is summed again; it is that of one or two, because days come one after another.
 */
export async function sumTagsAgain(
  connection: DuckDBConnection,
  goneWhere: string,
  deleteRows: () => Promise<void>,
): Promise<void> {
  const read = await connection.runAndReadAll(
    `SELECT DISTINCT chunk::DOUBLE AS chunk, start::DOUBLE AS start
     FROM (SELECT ordinal FROM events WHERE ${goneWhere}) AS gone
     ASOF JOIN (SELECT chunk, coalesce(lag(chunk) OVER (ORDER BY chunk), 0) AS start FROM (${CHUNKS})) AS chunks
       ON gone.ordinal < chunks.chunk`,
  );
  await deleteRows();
  for (const [chunk, start] of read.getRows()) {
    await connection.run(`DELETE FROM event_tags WHERE chunk = ${Number(chunk)}`);
    for (const toSql of [toEventTags, toCountedColumns])
      await connection.run(
        `INSERT INTO event_tags BY NAME SELECT ${Number(chunk)}::BIGINT AS chunk, *
         FROM (${toSql(`ordinal >= ${Number(start)} AND ordinal < ${Number(chunk)}`)})`,
      );
  }
}

function toList(texts: readonly string[]): string {
  return texts.join(", ");
}

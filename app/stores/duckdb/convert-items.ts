import type { DuckDBConnection } from "@duckdb/node-api";
import type { RowBatch } from "../events/event-log.ts";
import {
  type ConvertedItemRow,
  listConvertedRows,
  type OldItems,
  readConvertedItems,
  readItemPlaces,
} from "../events/old-items.ts";
import { toItemKey } from "../events/row-keys.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import type { EventWriter } from "./event-writer.ts";
import { listItemsBack } from "./read-items.ts";

/**
 * Creates what converts containers of earlier versions into rows. `onCommit` is called before anyone can read with cached facts about the
 * rows.
 */
export function createOldItems(
  { database, writer }: { database: DuckdbDatabase; writer: Pick<EventWriter, "addRows"> },
  { onCommit, noteWritten }: { onCommit: () => void; noteWritten: (batches: readonly RowBatch[]) => Promise<void> },
): OldItems {
  return {
    areConverted: async () => (await database.read("SELECT 1 FROM turned_items LIMIT 1")).length > 0,
    async noteConverted(at) {
      await database.transaction(async (connection) => {
        await connection.run("DELETE FROM turned_items");
        await connection.run("INSERT INTO turned_items VALUES ($1)", [Math.trunc(at)]);
        return { result: undefined, onCommit: () => undefined };
      });
    },
    async convert(entries) {
      let converted = 0;
      let written: RowBatch[] = [];
      await writer.addRows(async (connection) => {
        ({ converted, written } = await convertItems(connection, database.sourceOf("spans"), entries));
        return written;
      }, onCommit);
      await noteWritten(written);
      return converted;
    },
    listBack: (query) => listItemsBack(database, query),
  };
}

async function convertItems(
  connection: DuckDBConnection,
  spans: string,
  entries: readonly RowBatch[],
): Promise<{ converted: number; written: RowBatch[] }> {
  const byKey = new Map<string, ConvertedItemRow>();
  for (const entry of entries) for (const [key, item] of readConvertedItems(entry)) byKey.set(key, item);
  const due = await findDue(connection, spans, [...byKey.values()]);
  if (due.size === 0) return { converted: 0, written: [] };
  const items = [...byKey].flatMap(([key, item]) => (due.has(key) ? [item] : []));
  for (const sql of [DELETE_ITEMS, UPDATE_ITEMS]) await connection.run(sql, [toJson(items)]);
  // After a crash during an append, the row log has the batch twice.
  const taken = new Set<string>();
  const written = entries.map((entry): RowBatch => {
    const rows = listConvertedRows(entry);
    const keysOf = rows.map((each) => readItemPlaces(each).map(toItemKey));
    const isOfEntry = (key: string) => due.has(key) && !taken.has(key);
    const leftOut = rows.flatMap((each, at) =>
      [...each.items].filter((_, row) => !isOfEntry(keysOf[at]?.[row] as string)),
    );
    for (const key of keysOf.flat()) taken.add(key);
    return { ...entry, rows, leftOut, environments: [] };
  });
  return { converted: items.length, written };
}

/**
 * The stored items that are not converted yet, by `toItemKey`. A converted transaction may keep a rest that has the same quantity as
 * before: its spans show that it was converted. The rest of other items has a smaller quantity.
 */
async function findDue(
  connection: DuckDBConnection,
  spans: string,
  items: readonly ConvertedItemRow[],
): Promise<Set<string>> {
  if (items.length === 0) return new Set();
  const within = toRange(items);
  const json = toJson(items);
  const there = await readRows(
    connection,
    `SELECT ${KEY_COLUMNS}, items.category = 'transaction' AS is_transaction, items.quantity::DOUBLE AS quantity
     FROM items JOIN (${CONVERTED}) AS converted ON ${IS_SAME} WHERE ${within("items")}`,
    [json],
  );
  const withSpans = await readRows(
    connection,
    `SELECT DISTINCT ${KEY_COLUMNS} FROM ${spans} AS spans JOIN (${CONVERTED}) AS converted
       ON spans.project_id = converted.project_id AND spans.sequence = converted.sequence AND spans.received_at = converted.received_at
     WHERE spans.category = 'transaction' AND ${within("spans")}`,
    [json],
  );
  const convertedBefore = new Set(withSpans.map(toKey));
  const leftOf = new Map(items.map((item) => [toItemKey(item), item.left]));
  return new Set(
    there.flatMap((row) => {
      const key = toKey(row);
      const left = leftOf.get(key) ?? null;
      const isDue =
        left === null || (row.is_transaction === true ? !convertedBefore.has(key) : row.quantity !== left.quantity);
      return isDue ? [key] : [];
    }),
  );
}

const KEY_COLUMNS = `converted.sequence::DOUBLE AS sequence, converted.item_index::DOUBLE AS item_index,
  converted.received_at::DOUBLE AS received_at`;

const CONVERTED = `
  SELECT (item ->> 'projectId')::BIGINT AS project_id, (item ->> 'sequence')::BIGINT AS sequence,
         (item ->> 'itemIndex')::INTEGER AS item_index, (item ->> 'receivedAt')::BIGINT AS received_at,
         (item ->> 'quantity')::BIGINT AS quantity, (item ->> 'payloadBytes')::BIGINT AS payload_bytes
  FROM (SELECT unnest(from_json($1::JSON, '["JSON"]')) AS item)`;

const IS_SAME = `items.sequence = converted.sequence AND items.item_index = converted.item_index
  AND items.project_id = converted.project_id AND items.received_at = converted.received_at`;

const DELETE_ITEMS = `DELETE FROM items USING (${CONVERTED}) AS converted WHERE ${IS_SAME} AND converted.quantity IS NULL`;

const UPDATE_ITEMS = `
  UPDATE items SET quantity = converted.quantity, payload_bytes = converted.payload_bytes
  FROM (${CONVERTED}) AS converted WHERE ${IS_SAME} AND converted.quantity IS NOT NULL`;

function toJson(items: readonly ConvertedItemRow[]): string {
  return JSON.stringify(items.map(({ left, ...place }) => ({ ...place, ...left })));
}

/** SQL of the range in which the items arrived. Rows are in the order of their arrival, so DuckDB reads only a part of them. */
function toRange(items: readonly ConvertedItemRow[]): (table: string) => string {
  const all = items.map(({ receivedAt }) => receivedAt);
  const [from, to] = [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))];
  return (table) => `${table}.received_at >= ${Math.trunc(from)} AND ${table}.received_at <= ${Math.trunc(to)}`;
}

function toKey(row: Record<string, unknown>): string {
  return toItemKey({
    sequence: Number(row.sequence),
    itemIndex: Number(row.item_index),
    receivedAt: Number(row.received_at),
  });
}

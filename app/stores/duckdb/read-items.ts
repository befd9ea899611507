import type { ItemRow, Items } from "../events/items.ts";
import type { ItemsBack } from "../events/old-items.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import { toEventId, toText } from "./event-rows.ts";
import type { ItemsOfEvents } from "./items-of-events.ts";
import type { LoggedEvents } from "./logged-events.ts";
import { SqlConditions } from "./sql-conditions.ts";

const LISTED_ITEMS = 100;

/** Items of an event or a trace, oldest first. Empty without either, because a list of all items would be too long. */
export async function listItems(
  { database, itemsOfEvents, logged }: { database: DuckdbDatabase; itemsOfEvents: ItemsOfEvents; logged: LoggedEvents },
  filter: Parameters<Items["listItems"]>[0],
): Promise<ItemRow[]> {
  if (filter.projectIds.length === 0 || filter.types?.length === 0) return [];
  if (filter.eventId === undefined && filter.traceId === undefined) return [];
  const { eventId, types } = filter;
  const event = eventId === undefined ? null : logged.find(eventId, filter.projectIds);
  if (event?.hasItems) await event.settled;
  if (eventId !== undefined && types && !(await itemsOfEvents.mayHave(eventId, types))) return [];
  const conditions = new SqlConditions();
  if (filter.eventId !== undefined) addHashed(conditions, "event_id", filter.eventId);
  if (filter.traceId !== undefined) addHashed(conditions, "trace_id", filter.traceId);
  conditions.addProjects(filter.projectIds);
  if (filter.types) conditions.addOneOf("type", filter.types);
  if (filter.place) {
    const { sequence, itemIndex } = filter.place;
    conditions.add(`sequence = ${conditions.bind(sequence)}`).add(`item_index = ${conditions.bind(itemIndex)}`);
  }
  const { skip = 0, limit = LISTED_ITEMS } = filter;
  const rows = await database.read(
    `SELECT to_json(items)::VARCHAR AS row FROM items WHERE ${conditions}
     ORDER BY occurred_at, ordinal LIMIT ${conditions.bind(limit)} OFFSET ${conditions.bind(skip)}`,
    conditions.values,
  );
  return rows.map(toItemRow);
}

export async function countItems(
  database: DuckdbDatabase,
  filter: { projectIds: readonly number[]; from: number | null; to: number | null },
): Promise<Array<{ type: string; quantity: number }>> {
  if (filter.projectIds.length === 0) return [];
  const conditions = new SqlConditions().addProjects(filter.projectIds).addRange("occurred_at", filter.from, filter.to);
  const rows = await database.read(
    `SELECT type, sum(quantity)::DOUBLE AS quantity FROM items WHERE ${conditions}
     GROUP BY type ORDER BY quantity DESC, type LIMIT 1000`,
    conditions.values,
  );
  return rows.map((row) => ({ type: String(row.type), quantity: Number(row.quantity) }));
}

/** See `OldItems.listBack`. */
export async function listItemsBack(database: DuckdbDatabase, { types, before, limit }: ItemsBack): Promise<ItemRow[]> {
  const conditions = new SqlConditions().addOneOf("type", types);
  if (before !== null) {
    const place = [before.receivedAt, before.sequence, before.itemIndex].map((value) => conditions.bind(value));
    conditions.add(`(received_at, sequence, item_index) < (${place.join(", ")})`);
  }
  const rows = await database.read(
    `SELECT to_json(items)::VARCHAR AS row FROM items WHERE ${conditions}
     ORDER BY received_at DESC, sequence DESC, item_index DESC LIMIT ${conditions.bind(limit)}`,
    conditions.values,
  );
  return rows.map(toItemRow);
}

/** Compares the hash first, a column of eight bytes: texts are read only where it matches. */
function addHashed(conditions: SqlConditions, column: "event_id" | "trace_id", value: string): void {
  const bound = conditions.bind(value);
  conditions.add(`${column}_hash = md5_number_lower(${bound})`).add(`${column} = ${bound}`);
}

function toItemRow(result: SqlRow): ItemRow {
  const row: SqlRow = JSON.parse(String(result.row));
  return {
    sequence: Number(row.sequence),
    itemIndex: Number(row.item_index),
    projectId: Number(row.project_id),
    type: String(row.type),
    category: String(row.category),
    quantity: Number(row.quantity),
    eventId: toText(row.event_id),
    traceId: toText(row.trace_id),
    occurredAt: Number(row.occurred_at),
    receivedAt: Number(row.received_at),
    environment: toText(row.environment),
    release: toText(row.release),
    identity: row.identity === null ? null : toEventId(row.identity),
    name: toText(row.name),
    expiresAt: row.expires_at === null ? null : Number(row.expires_at),
    payload: {
      fileId: Number(row.payload_file),
      offset: Number(row.payload_offset),
      index: Number(row.payload_index),
    },
    payloadBytes: Number(row.payload_bytes),
    contentBytes: row.content_bytes === null ? null : Number(row.content_bytes),
    contentType: toText(row.content_type),
    attachmentType: toText(row.attachment_type),
    contentSha1: toText(row.content_sha1),
  };
}

import type { RowScan, ScannedEvent, ScannedItem, ScannedRows, SelectedEvent } from "../events/event-deletion.ts";
import { toItemKey } from "../events/row-keys.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import { toEventId, toText } from "./event-rows.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** Columns that `toSelectedEvent` reads. */
export const SELECTED_EVENT = `
  project_id::DOUBLE AS project_id, replace(event_id::VARCHAR, '-', '') AS event_id, issue_id::DOUBLE AS issue_id,
  occurred_at::DOUBLE AS occurred_at, received_at::DOUBLE AS received_at, environment, release, user_key,
  coalesce(category, 'error') AS category`;

const PAYLOAD = `
  payload_file::DOUBLE AS payload_file, payload_offset::DOUBLE AS payload_offset, payload_index::DOUBLE AS payload_index`;

/** Columns that `toScannedItem` reads. */
export const SCANNED_ITEM = `
  items.project_id::DOUBLE AS project_id, items.sequence::DOUBLE AS sequence, items.item_index::DOUBLE AS item_index,
  items.type AS type, items.category AS category, items.quantity::DOUBLE AS quantity, items.event_id AS event_id,
  items.received_at::DOUBLE AS received_at, items.identity::VARCHAR AS identity, ${PAYLOAD}`;

export function toSelectedEvent(row: SqlRow): SelectedEvent {
  return {
    projectId: Number(row.project_id),
    eventId: String(row.event_id),
    occurrence: {
      issueId: Number(row.issue_id),
      occurredAt: Number(row.occurred_at),
      environment: toText(row.environment),
      release: toText(row.release),
      userKey: toText(row.user_key),
    },
    items: [{ category: String(row.category), quantity: 1, receivedAt: Number(row.received_at) }],
  };
}

export function toScannedItem(row: SqlRow): ScannedItem {
  const [sequence, itemIndex, receivedAt] = [Number(row.sequence), Number(row.item_index), Number(row.received_at)];
  return {
    projectId: Number(row.project_id),
    key: toItemKey({ sequence, itemIndex, receivedAt }),
    identity: row.identity === null ? null : toEventId(row.identity),
    category: String(row.category),
    // A container counts as many as it contains.
    quantity: Math.max(1, Number(row.quantity)),
    receivedAt,
    sequence,
    itemIndex,
    type: String(row.type),
    eventId: toText(row.event_id),
    payload: toPayloadRef(row),
  };
}

function toPayloadRef(row: SqlRow) {
  return { fileId: Number(row.payload_file), offset: Number(row.payload_offset), index: Number(row.payload_index) };
}

export async function countRows(
  database: DuckdbDatabase,
  { projectIds, upTo }: Pick<RowScan, "projectIds" | "upTo">,
): Promise<{ events: number; items: number }> {
  const count = async (table: "events" | "items") => {
    if (projectIds.length === 0) return 0;
    const conditions = new SqlConditions().addProjects(projectIds).addRange("received_at", null, upTo + 1);
    const [row] = await database.read(
      `SELECT count(*)::DOUBLE AS rows FROM ${table} WHERE ${conditions}`,
      conditions.values,
    );
    return Number(row?.rows ?? 0);
  };
  return { events: await count("events"), items: await count("items") };
}

export function scanEvents(database: DuckdbDatabase, scan: RowScan): Promise<ScannedRows<ScannedEvent>> {
  return scanRows(database, scan, { table: "events", columns: `${SELECTED_EVENT}, ${PAYLOAD}` }, (row) => ({
    ...toSelectedEvent(row),
    userKey: toText(row.user_key),
    payload: toPayloadRef(row),
  }));
}

export function scanItems(database: DuckdbDatabase, scan: RowScan): Promise<ScannedRows<ScannedItem>> {
  return scanRows(database, scan, { table: "items", columns: SCANNED_ITEM }, toScannedItem);
}

/** Reads pages in the order of arrival: unlike the order of ordinals, it is the same after a rebuild. */
async function scanRows<Row>(
  database: DuckdbDatabase,
  { projectIds, after, upTo, sequences, limit }: RowScan,
  { table, columns }: { table: "events" | "items"; columns: string },
  toRow: (row: SqlRow) => Row,
): Promise<ScannedRows<Row>> {
  if (projectIds.length === 0) return { rows: [], upTo: null };
  const toConditions = (to: number) => {
    const conditions = new SqlConditions().addProjects(projectIds).addRange("received_at", after + 1, to + 1);
    return sequences === null ? conditions : conditions.addRanges("sequence", sequences);
  };
  // A write, because it must see the rows of the transaction before it.
  return database.write(async (connection) => {
    const all = toConditions(upTo);
    const [bound] = await readRows(
      connection,
      `SELECT max(received_at)::DOUBLE AS received_at
       FROM (SELECT received_at FROM ${table} WHERE ${all} ORDER BY received_at LIMIT ${Math.trunc(limit)})`,
      all.values,
    );
    const last = bound?.received_at;
    if (typeof last !== "number") return { rows: [], upTo: null };
    const conditions = toConditions(last);
    const rows = await readRows(
      connection,
      `SELECT ${columns} FROM ${table} WHERE ${conditions} ORDER BY payload_file, payload_offset, payload_index`,
      conditions.values,
    );
    return { rows: rows.map(toRow), upTo: last };
  });
}

import type { PayloadPlaceOfRow, RowWithPayload } from "../events/event-store.ts";
import { toItemKey } from "../events/row-keys.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";

/** SQL of the places. $1: the places as JSON. */
const PLACES = `
  SELECT (place ->> 'fileId')::BIGINT AS file, (place ->> 'offset')::BIGINT AS place_offset,
         (place ->> 'index')::INTEGER AS place_index
  FROM (SELECT unnest(from_json($1::JSON, '["JSON"]')) AS place)`;

function isAt(table: string): string {
  return `${table}.payload_file = place.file AND ${table}.payload_offset = place.place_offset
    AND (place.place_index IS NULL OR ${table}.payload_index = place.place_index)`;
}

/** See `EventStore.findPayloads`. */
export async function findPayloads(
  database: DuckdbDatabase,
  places: readonly PayloadPlaceOfRow[],
): Promise<RowWithPayload[]> {
  if (places.length === 0) return [];
  const json = JSON.stringify(places);
  const events = await database.read(
    `SELECT events.project_id::DOUBLE AS project_id, replace(events.event_id::VARCHAR, '-', '') AS event_id,
            coalesce(events.category, 'error') AS category, events.received_at::DOUBLE AS received_at
     FROM events JOIN (${PLACES}) AS place ON ${isAt("events")}`,
    [json],
  );
  const items = await database.read(
    `SELECT items.project_id::DOUBLE AS project_id, items.sequence::DOUBLE AS sequence,
            items.item_index::DOUBLE AS item_index, items.category AS category, items.quantity::DOUBLE AS quantity,
            items.received_at::DOUBLE AS received_at
     FROM items JOIN (${PLACES}) AS place ON ${isAt("items")}`,
    [json],
  );
  return [
    ...events.map(
      (row): RowWithPayload => ({
        projectId: Number(row.project_id),
        key: String(row.event_id),
        category: String(row.category),
        quantity: 1,
        receivedAt: Number(row.received_at),
      }),
    ),
    ...items.map((row): RowWithPayload => {
      const receivedAt = Number(row.received_at);
      const place = { sequence: Number(row.sequence), itemIndex: Number(row.item_index), receivedAt };
      return {
        projectId: Number(row.project_id),
        key: toItemKey(place),
        category: String(row.category),
        quantity: Math.max(1, Number(row.quantity)),
        receivedAt,
      };
    }),
  ];
}

import type { SelectedPart } from "../events/event-deletion.ts";
import { PART_TABLES, type PartTable, toPartKey } from "../events/row-keys.ts";
import type { SqlRow } from "./duckdb-reader.ts";

/** SQL of the columns that `toPart` reads. */
export function columnsOfPart(table: PartTable): string {
  // A transaction is counted by its item.
  const category = table === "logs" ? "'log_item'" : "category";
  const quantity = table === "logs" ? "1" : "(category <> 'transaction')::INTEGER";
  return `${table}.project_id::DOUBLE AS project_id, ${table}.sequence::DOUBLE AS sequence,
    ${table}.received_at::DOUBLE AS received_at, ${table}.${PART_TABLES[table]}::DOUBLE AS at_us,
    ${category} AS category, ${quantity}::DOUBLE AS quantity`;
}

export function toPart(table: PartTable, row: SqlRow): SelectedPart {
  const place = { sequence: Number(row.sequence), receivedAt: Number(row.received_at), atUs: Number(row.at_us) };
  return {
    ...place,
    table,
    projectId: Number(row.project_id),
    key: toPartKey({ table, ...place }),
    identity: null,
    category: String(row.category),
    quantity: Number(row.quantity),
  };
}

import type { ItemPlace } from "./event-deletion.ts";
import type { RowBatch } from "./event-log.ts";
import { ITEMS } from "./item-table.ts";
import type { ItemRow } from "./items.ts";
import { toItemKey } from "./row-keys.ts";
import { readNumbers, type TableRows } from "./rows.ts";

/**
 * Rows that were made of items which an earlier version has stored whole, as an entry of the row log has them. They name their item: with
 * their sequence, this column is its place. So whatever is noted of the item holds for them, like that it is deleted.
 */
export const ITEM_COLUMN = "item_index";

/** An item that became rows. */
export interface ConvertedItemRow extends ItemPlace {
  /** The rest of it after the conversion. Null: nothing is left. */
  left: { quantity: number; payloadBytes: number } | null;
}

/** Items of some types, from one on back to the oldest. */
export interface ItemsBack {
  types: readonly string[];
  /** Those that came before this one; null: from the newest on. */
  before: Pick<ItemPlace, "sequence" | "itemIndex" | "receivedAt"> | null;
  limit: number;
}

/** Items that earlier versions have stored whole, and that are rows now. */
export interface OldItems {
  /** Whether every payload file of an earlier version was looked through. A store that was made again says no. */
  areConverted(): Promise<boolean>;
  noteConverted(at: number): Promise<void>;
  /**
   * Takes the items whose rows are in the entries out of the store (or leaves their rest), and writes the rows. Atomic. Rows of items
   * that are gone, or were converted before, are skipped. Returns the number of items.
   */
  convert(entries: readonly RowBatch[]): Promise<number>;
  /** Items of all projects, newest first, that earlier versions only stored and that pages show now. */
  listBack(query: ItemsBack): Promise<ItemRow[]>;
}

/** The rows of an entry that were made of items. */
export function listConvertedRows({ rows }: Pick<RowBatch, "rows">): TableRows[] {
  return rows.filter(({ table, count, columns }) => table !== ITEMS.name && count > 0 && columns[ITEM_COLUMN]);
}

/** The items that an entry has rows of, by `toItemKey`. */
export function readConvertedItems(entry: Pick<RowBatch, "rows">): Map<string, ConvertedItemRow> {
  const items = new Map<string, ConvertedItemRow>();
  for (const rows of listConvertedRows(entry)) {
    for (const item of readItemPlaces(rows)) {
      const key = toItemKey(item);
      if (!items.has(key)) items.set(key, { ...item, left: null });
    }
  }
  for (const rows of entry.rows) {
    if (rows.table !== ITEMS.name) continue;
    const quantities = readNumbers(rows, "quantity");
    const bytes = readNumbers(rows, "payload_bytes");
    for (const [row, place] of readItemPlaces(rows).entries()) {
      const item = items.get(toItemKey(place));
      if (item) item.left = { quantity: quantities[row] as number, payloadBytes: bytes[row] as number };
    }
  }
  return items;
}

/** Of rows that have the place of an item. */
export function readItemPlaces(rows: TableRows): ItemPlace[] {
  const projectIds = readNumbers(rows, "project_id");
  const itemIndexes = readNumbers(rows, ITEM_COLUMN);
  const receivedAt = readNumbers(rows, "received_at");
  return Array.from(readNumbers(rows, "sequence"), (sequence, row) => ({
    projectId: projectIds[row] as number,
    sequence,
    itemIndex: itemIndexes[row] as number,
    receivedAt: receivedAt[row] as number,
  }));
}

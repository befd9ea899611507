import { setImmediate } from "node:timers/promises";
import { CONVERTED_TYPES, type ConvertedPayload, convertStoredItem } from "../../signals/convert-stored-item.ts";
import type { ItemPlace } from "../../stores/events/event-deletion.ts";
import { ITEMS } from "../../stores/events/item-table.ts";
import { ITEM_COLUMN, readItemPlaces } from "../../stores/events/old-items.ts";
import { PART_TABLES } from "../../stores/events/row-keys.ts";
import { changeLoggedRows, hasMovedRows, type LoggedTable, readLoggedTables } from "../../stores/events/row-log.ts";
import { type RowsByTable, readNumbers, readTexts, toRowsByTable } from "../../stores/events/rows.ts";
import {
  ignoreDamaged,
  type PayloadRef,
  type PayloadStore,
  type RewritePayload,
  type RewrittenAppend,
} from "../../stores/payload-store.ts";
import type { DeletionWork } from "../../stores/state/deletion-store.ts";
import { isDeleted, readDeletionKeys } from "../deletions/erase-events.ts";

/** Milliseconds that the event loop may be blocked at a time, because it also answers requests. */
const TURN_MS = 5;

export interface ConvertingStores {
  payloads: Pick<PayloadStore, "read">;
  /** Items that people have deleted are left as they are, and go later. */
  deletions: Pick<DeletionWork, "findDeleted" | "listDeletedProjects">;
}

/** An item of an entry that is stored whole. */
interface WholeItem {
  place: ItemPlace;
  /** The number of its row in the entry. */
  row: number;
  ref: PayloadRef;
  /** The place of its payload in the append. Null: the row names the payload by its reference. */
  appended: number | null;
}

interface ConvertedItem extends WholeItem, ConvertedPayload {}

/**
 * Replaces items that an earlier version has stored whole by rows of spans and logs. Null: the entry has none. It is also left alone if it
 * has such rows already, or lost them to files of days: then it was converted before, or this version wrote it.
 */
export async function convertEntry(
  entry: Uint8Array,
  refOf: (place: number) => PayloadRef,
  { payloads, deletions }: ConvertingStores,
): Promise<RewrittenAppend | null> {
  const tables = readLoggedTables(entry);
  const at = tables.findIndex(({ rows }) => rows.table === ITEMS.name);
  const table = tables[at];
  if (table === undefined || tables.some(hasParts) || hasMovedRows(entry)) return null;
  const converted: ConvertedItem[] = [];
  let turnEndsAt = performance.now() + TURN_MS;
  for (const item of await listWholeItems(table, refOf, deletions)) {
    // A payload that cannot be read stays as it is.
    const payload = await ignoreDamaged(payloads.read(item.ref));
    const parts = payload && convertStoredItem(payload, item.place);
    if (parts) converted.push({ ...item, ...parts });
    if (performance.now() <= turnEndsAt) continue;
    await setImmediate();
    turnEndsAt = performance.now() + TURN_MS;
  }
  if (converted.length === 0) return null;
  const byRow = new Map(converted.map((item) => [item.row, item]));
  const named = converted.filter(({ appended }) => appended === null);
  return {
    places: new Map(converted.flatMap((item) => (item.appended === null ? [] : [[item.appended, () => item.payload]]))),
    ...(named.length > 0 && {
      refs: named.map(({ ref: { offset, index }, place }) => ({ offset, index, rewrite: toRewrite(place) })),
    }),
    entry: changeLoggedRows(entry, {
      isGone: (each, row) => each === at && byRow.get(row)?.payload.length === 0,
      cellOf: (each, row, column) => (each === at ? cellOf(byRow.get(row), column) : undefined),
      added: toRows(converted),
    }),
  };
}

/**
 * A function that turns a payload into what is left of it. These payloads come before their entries, and the results for all of them would
 * not fit into memory together.
 */
function toRewrite(place: ItemPlace): RewritePayload {
  return (payload) => convertStoredItem(payload, place)?.payload ?? payload;
}

function hasParts({ rows: { table, count } }: LoggedTable): boolean {
  return count > 0 && Object.hasOwn(PART_TABLES, table);
}

async function listWholeItems(
  table: LoggedTable,
  refOf: (place: number) => PayloadRef,
  deletions: ConvertingStores["deletions"],
): Promise<WholeItem[]> {
  const { rows, places } = table;
  const namesPayloads = rows.columns.payload_offset !== undefined;
  const [files, offsets, indexes] = namesPayloads
    ? [readNumbers(rows, "payload_file"), readNumbers(rows, "payload_offset"), readNumbers(rows, "payload_index")]
    : [];
  const itemPlaces = readItemPlaces(rows);
  const types = readTexts(rows, "type");
  const found = types.flatMap((type, row): WholeItem[] => {
    if (type === null || !CONVERTED_TYPES.includes(type)) return [];
    const appended = places[row] ?? -1;
    const place = itemPlaces[row] as ItemPlace;
    if (appended >= 0) return [{ place, row, ref: refOf(appended), appended }];
    // An item that came a second time has no payload.
    if (!files || !offsets || !indexes) return [];
    const ref = { fileId: files[row] as number, offset: offsets[row] as number, index: indexes[row] as number };
    return [{ place, row, ref, appended: null }];
  });
  if (found.length === 0) return [];
  const keys = readDeletionKeys({ rows });
  const deleted = await deletions.findDeleted(found.flatMap(({ row }) => keys[row] ?? []));
  const projectIds = new Set(await deletions.listDeletedProjects());
  return found.filter(({ row, place }) => !projectIds.has(place.projectId) && !isDeleted(keys[row], deleted));
}

function cellOf(item: ConvertedItem | undefined, column: string): string | undefined {
  if (column === "quantity") return item?.quantity.toString();
  return column === "payload_bytes" ? item?.payload.length.toString() : undefined;
}

function toRows(converted: readonly ConvertedItem[]): RowsByTable {
  const encoder = new TextEncoder();
  return toRowsByTable(converted).map((rows) => ({
    ...rows,
    columns: {
      ...rows.columns,
      [ITEM_COLUMN]: encoder.encode(Array.from(rows.items, (item) => converted[item]?.place.itemIndex).join(",")),
    },
  }));
}

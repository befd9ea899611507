import type { IssueOccurrence } from "../../app/domain/issues/occurrence.ts";
import type { Digested, DigestedItem } from "../../app/signals/digested.ts";
import type { NewEventRow } from "../../app/stores/events/event-table.ts";
import type { NewItemRow } from "../../app/stores/events/item-table.ts";
import type { NewRow } from "../../app/stores/events/rows.ts";
import { fromTagText } from "../../app/stores/events/tag-text.ts";

export interface SplitDigested extends Omit<Digested, "items"> {
  events: Array<DigestedItem & { row: NewEventRow; occurrence: IssueOccurrence }>;
  items: Array<DigestedItem & { row: NewItemRow }>;
}

/** Errors by themselves, and everything else, with the first row of each as it was before it went into cells. */
export function splitDigested({ items, ...rest }: Digested): SplitDigested {
  const split: SplitDigested = { ...rest, events: [], items: [] };
  for (const item of items) {
    const { occurrence } = item;
    const [row] = item.rows;
    if (occurrence) split.events.push({ ...item, occurrence, row: fromCells(row) as unknown as NewEventRow });
    else split.items.push({ ...item, row: fromCells(row) as unknown as NewItemRow });
  }
  return split;
}

/** Of an item that held nothing to be counted. */
const NONE: NewRow = { table: { name: "", columns: [], lateColumns: [] }, cells: [] };

function fromCells({ table, cells }: Pick<NewRow, "table" | "cells"> = NONE): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [at, { name, type }] of table.columns.entries()) {
    const key = name.replace("transaction_name", "transaction").replace(/_(.)/g, (_, letter) => letter.toUpperCase());
    const cell = cells[at];
    row[key] = type === "boolean" ? cell === 1 : key === "tags" ? fromTagText(String(cell)) : cell;
  }
  return row;
}

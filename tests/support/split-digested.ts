import type { IssueOccurrence } from "../../app/domain/issues/occurrence.ts";
import type { Digested, DigestedItem } from "../../app/signals/digested.ts";
import type { EventRow, ItemRow } from "../../app/stores/event-store.ts";

export interface SplitDigested extends Omit<Digested, "items"> {
  events: Array<
    Omit<DigestedItem, "row"> & { row: Omit<EventRow, "issueId" | "payload">; occurrence: IssueOccurrence }
  >;
  items: Array<Omit<DigestedItem, "row"> & { row: Omit<ItemRow, "payload"> }>;
}

/** Errors by themselves, and everything else. */
export function splitDigested({ items, ...rest }: Digested): SplitDigested {
  const split: SplitDigested = { ...rest, events: [], items: [] };
  for (const { row, occurrence, ...item } of items) {
    if (row.table === "items") split.items.push({ ...item, row: row.values });
    else if (occurrence) split.events.push({ ...item, row: row.values, occurrence });
  }
  return split;
}

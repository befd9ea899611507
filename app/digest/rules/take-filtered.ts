import { type BatchStore, type FilteredEvent, keyOfFiltered } from "../../stores/state/batch-store.ts";
import type { MappedBatch, MappedItem } from "../mapped-batch.ts";

/** The events of a batch that are left out because their projects do not accept them. */
export interface TakenFiltered {
  /** Items to leave out, with why. */
  reasons: ReadonlyMap<MappedItem, string>;
  /** All events that are left out, for state. */
  events: FilteredEvent[];
}

/**
 * Finds the events that filters leave out. For records that state had applied before a crash, the same events are left out as before, and
 * no others: the rules may have changed since. Items that belong to such an event, like its attachments, are left out with it.
 */
export async function takeFiltered(
  batches: Pick<BatchStore, "listLastFiltered">,
  { items, filtered = [] }: Pick<MappedBatch, "items" | "filtered">,
  { journalId, applied }: { journalId: string; applied: { state: number } },
): Promise<TakenFiltered> {
  const events = [...filtered];
  const reasons = new Map<MappedItem, string>();
  if (items.some(({ sequence }) => sequence < applied.state)) {
    const before = await batches.listLastFiltered(journalId);
    for (const item of before.size === 0 ? [] : items) {
      const { sequence, identity, projectId, receivedAt, occurrence } = item;
      if (sequence >= applied.state || identity === null || occurrence === undefined) continue;
      if (!before.has(keyOfFiltered({ sequence, eventId: identity }))) continue;
      const reason = "filtered-before";
      events.push({ sequence, projectId, receivedAt, eventId: identity, reason, example: null });
      reasons.set(item, reason);
    }
  }
  if (events.length === 0) return { reasons, events };
  const reasonOfRecord = new Map(events.map(({ sequence, reason }) => [sequence, reason]));
  for (const item of items) {
    const reason = item.dependsOnEvent ? reasonOfRecord.get(item.sequence) : undefined;
    if (reason !== undefined) reasons.set(item, reason);
  }
  return { reasons, events };
}

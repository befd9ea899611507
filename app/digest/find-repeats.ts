import type { EventLog, RowKey } from "../stores/events/event-log.ts";
import type { MappedItem } from "./mapped-batch.ts";

/**
 * Finds repeats. An item is a repeat if its project already has its identity, or had it earlier in this batch: the first one counts. Items
 * that belong to a repeated event or transaction are repeats themselves.
 *
 * @param isStored whether the event store has applied the item. Its rows exist for that reason, and it is no repeat
 * @param repeatedRecords sequences of records whose event is known to be a repeat
 */
export async function findRepeats(
  store: Pick<EventLog, "findExisting">,
  items: readonly MappedItem[],
  { isStored, repeatedRecords: known }: { isStored: (item: MappedItem) => boolean; repeatedRecords: readonly number[] },
): Promise<Set<MappedItem>> {
  const keys: RowKey[] = [];
  for (const item of items) {
    const { projectId, identity } = item;
    if (identity !== null && !isStored(item)) keys.push({ projectId, identity });
  }
  const existing = keys.length > 0 ? await store.findExisting(keys) : new Set<string>();
  const seen = new Set<string>();
  /** Whether it came before; from now on it has. */
  const isRepeat = (item: MappedItem) => {
    const { projectId, identity } = item;
    if (identity === null) return false;
    const key = `${projectId}:${identity}`;
    const isKnown = seen.has(key) || (!isStored(item) && existing.has(key));
    seen.add(key);
    return isKnown;
  };

  const repeats = new Set<MappedItem>();
  /** Records whose event, or the item that counts as its event, is a repeat. */
  const repeatedRecords = new Set<number>(known);
  for (const item of items) {
    if (item.dependsOnEvent || !isRepeat(item)) continue;
    repeats.add(item);
    if (item.hasDependents) repeatedRecords.add(item.sequence);
  }
  // Last, because they may stand before the event in their envelope. Their kinds share no identities with the others.
  for (const item of items) {
    if (item.dependsOnEvent && (repeatedRecords.has(item.sequence) || isRepeat(item))) repeats.add(item);
  }
  return repeats;
}

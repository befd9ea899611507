import type { EventStore, RowKey } from "../stores/event-store.ts";
import type { Digested, DigestedEvent, DigestedItem } from "./digested.ts";

type Facts = Pick<Digested, "events" | "items">;

/**
 * Splits what is new from what came before. An event or item whose identity the project has already, or had earlier in
 * this batch, is a duplicate: the first one counts, whether event or item. What came with an event or transaction that is
 * a duplicate came twice itself.
 *
 * @param appliedSequence how far the event store had applied the journal: rows below are there because they were applied,
 * not because they came twice.
 */
export async function splitDuplicates(
  store: Pick<EventStore, "findExisting">,
  { events, items }: Facts,
  appliedSequence: number,
): Promise<{ fresh: Facts; duplicates: Facts }> {
  const keys = listKeys({ events, items }, appliedSequence);
  const existing = keys.length > 0 ? await store.findExisting(keys) : new Set<string>();
  const seen = new Set<string>();
  /** Whether it came before; from now on it has. */
  const isRepeat = (identity: string | null, { projectId, sequence }: { projectId: number; sequence: number }) => {
    if (identity === null) return false;
    const key = `${projectId}:${identity}`;
    const isKnown = seen.has(key) || (sequence >= appliedSequence && existing.has(key));
    seen.add(key);
    return isKnown;
  };

  const repeats = new Set<DigestedEvent | DigestedItem>();
  /** Records whose event, or what stands in its place, is a duplicate. */
  const repeatedRecords = new Set<number>();
  const independent = items.filter(({ dependsOnEvent }) => !dependsOnEvent);
  let next = 0;
  const checkItemsBefore = (sequence: number) => {
    for (let item = independent[next]; item && item.row.sequence < sequence; item = independent[++next]) {
      if (!isRepeat(item.row.identity, item.row)) continue;
      repeats.add(item);
      if (item.hasDependents) repeatedRecords.add(item.row.sequence);
    }
  };
  for (const event of events) {
    checkItemsBefore(event.row.sequence);
    if (!isRepeat(event.row.eventId, event.row)) continue;
    repeats.add(event);
    repeatedRecords.add(event.row.sequence);
  }
  checkItemsBefore(Number.POSITIVE_INFINITY);
  // Last, because they may stand before the event in their envelope. Their kinds share no identities with the others.
  for (const item of items) {
    if (!item.dependsOnEvent) continue;
    if (repeatedRecords.has(item.row.sequence) || isRepeat(item.row.identity, item.row)) repeats.add(item);
  }

  if (repeats.size === 0) return { fresh: { events, items }, duplicates: { events: [], items: [] } };
  const isNew = (digested: DigestedEvent | DigestedItem) => !repeats.has(digested);
  return {
    fresh: { events: events.filter(isNew), items: items.filter(isNew) },
    duplicates: {
      events: events.filter((event) => repeats.has(event)),
      items: items.filter((item) => repeats.has(item)),
    },
  };
}

function listKeys({ events, items }: Facts, appliedSequence: number): RowKey[] {
  const keys: RowKey[] = [];
  for (const { row } of events) {
    if (row.sequence >= appliedSequence) keys.push({ projectId: row.projectId, identity: row.eventId });
  }
  for (const { row } of items) {
    if (row.identity !== null && row.sequence >= appliedSequence)
      keys.push({ projectId: row.projectId, identity: row.identity });
  }
  return keys;
}

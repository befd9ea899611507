import type { EventRow, EventStore, ItemRow } from "../stores/event-store.ts";
import type { PayloadRef, PayloadStore } from "../stores/payload-store.ts";
import type { IssueAssignment, StateStore } from "../stores/state-store.ts";
import type { Digested, DigestedEvent, DigestedItem, SequencedOutcome } from "./digested.ts";

export interface DigestStores {
  state: Pick<StateStore, "appliedSequence" | "applyBatch">;
  events: Pick<EventStore, "appliedSequence" | "findExisting" | "append">;
  payloads: Pick<PayloadStore, "append">;
}

/** How far each store had applied the journal when the batch was begun: exclusive sequences. */
export interface AppliedPositions {
  state: number;
  events: number;
}

export interface CommittedBatch {
  /** What became of the batch, for live pages and metrics; nothing that an earlier run had applied. */
  changes: Array<{ issueId: number; projectId: number; eventId: string; transition: IssueAssignment["transition"] }>;
  /** Stored items by category. */
  stored: Map<string, number>;
  duplicates: number;
}

/**
 * Puts the facts of a batch into every store exactly once, in the order that docs/architecture.md gives: payloads, then
 * state, then events. Each store leaves out what it has applied already, so that a batch may be committed again after a
 * crash at any place, whole or cut differently.
 */
export async function commitBatch(
  stores: DigestStores,
  digested: Digested,
  { journalId, upTo, applied }: { journalId: string; upTo: number; applied: AppliedPositions },
): Promise<CommittedBatch> {
  const { fresh, duplicates } = await splitDuplicates(stores.events, digested.events, applied);
  // What the event store has applied has its payload already; appending it again would only be waste.
  const newEvents = fresh.filter(({ row }) => row.sequence >= applied.events);
  const { kept, orphans } = splitDependents(digested.items, duplicates);
  const newItems = kept.filter(({ row }) => row.sequence >= applied.events);
  const refs = await appendPayloads(stores.payloads, newEvents, newItems);

  const outcomes: SequencedOutcome[] = [...digested.outcomes];
  for (const event of fresh) outcomes.push(toOutcome(event, "accepted", ""));
  for (const event of duplicates) outcomes.push(toOutcome(event, "duplicate", "event_id_seen"));
  for (const { outcome } of kept) outcomes.push(outcome);
  for (const { outcome } of orphans) outcomes.push({ ...outcome, outcome: "duplicate", reason: "event_id_seen" });
  const assignments = await stores.state.applyBatch({
    journalId,
    upTo,
    occurrences: fresh.map(({ occurrence }) => occurrence),
    outcomes,
  });

  const issueOf = new Map<DigestedEvent, number>();
  fresh.forEach((event, index) => {
    issueOf.set(event, (assignments[index] as IssueAssignment).issueId);
  });
  const events = newEvents.map(
    (event, index): EventRow => ({
      ...event.row,
      issueId: issueOf.get(event) as number,
      payload: refs[index] as PayloadRef,
    }),
  );
  const items = newItems.map(
    (item, index): ItemRow => ({ ...item.row, payload: refs[newEvents.length + index] as PayloadRef }),
  );
  await stores.events.append({ journalId, upTo, events, items });
  return summarize({ fresh, assignments, duplicates, outcomes }, applied);
}

/** An event whose id the project has already, or had earlier in this batch, is a duplicate: the first one counts. */
async function splitDuplicates(events: DigestStores["events"], digested: DigestedEvent[], applied: AppliedPositions) {
  // Those below the event store's position are there because they were applied, not because they came twice.
  const asked = digested.filter(({ row }) => row.sequence >= applied.events);
  const existing = asked.length > 0 ? await events.findExisting(asked.map(({ row }) => row)) : new Set<string>();
  const seen = new Set<string>();
  const fresh: DigestedEvent[] = [];
  const duplicates: DigestedEvent[] = [];
  for (const event of digested) {
    const key = `${event.row.projectId}:${event.row.eventId}`;
    const isKnown = seen.has(key) || (event.row.sequence >= applied.events && existing.has(key));
    seen.add(key);
    (isKnown ? duplicates : fresh).push(event);
  }
  return { fresh, duplicates };
}

/** What came with an event that is a duplicate came twice itself. */
function splitDependents(items: DigestedItem[], duplicates: DigestedEvent[]) {
  if (duplicates.length === 0) return { kept: items, orphans: [] };
  const sequences = new Set(duplicates.map(({ row }) => row.sequence));
  const isOrphan = (item: DigestedItem) => item.dependsOnEvent && sequences.has(item.row.sequence);
  return { kept: items.filter((item) => !isOrphan(item)), orphans: items.filter(isOrphan) };
}

async function appendPayloads(
  payloads: DigestStores["payloads"],
  events: DigestedEvent[],
  items: DigestedItem[],
): Promise<PayloadRef[]> {
  const first = events[0] ?? items[0];
  if (!first) return [];
  return payloads.append([...events.map(({ payload }) => payload), ...items.map(({ payload }) => payload)], {
    receivedAt: first.row.receivedAt,
  });
}

function toOutcome(event: DigestedEvent, outcome: "accepted" | "duplicate", reason: string): SequencedOutcome {
  const { sequence, projectId, receivedAt } = event.row;
  return { sequence, projectId, receivedAt, category: event.category, outcome, reason, quantity: 1 };
}

function summarize(
  batch: {
    fresh: DigestedEvent[];
    assignments: IssueAssignment[];
    duplicates: DigestedEvent[];
    outcomes: SequencedOutcome[];
  },
  applied: AppliedPositions,
): CommittedBatch {
  const changes: CommittedBatch["changes"] = [];
  batch.fresh.forEach(({ row }, index) => {
    const assignment = batch.assignments[index] as IssueAssignment;
    if (row.sequence >= applied.state) {
      changes.push({
        issueId: assignment.issueId,
        projectId: row.projectId,
        eventId: row.eventId,
        transition: assignment.transition,
      });
    }
  });
  const stored = new Map<string, number>();
  for (const { sequence, outcome, category, quantity } of batch.outcomes) {
    const isStored = outcome === "accepted" || (outcome === "unsupported" && category === "unknown");
    if (isStored && sequence >= applied.state) stored.set(category, (stored.get(category) ?? 0) + quantity);
  }
  return { changes, stored, duplicates: batch.duplicates.length };
}

import type { EventRow, EventStore, ItemRow } from "../stores/event-store.ts";
import type { PayloadRef, PayloadStore } from "../stores/payload-store.ts";
import type { IssueAssignment } from "../stores/state/batch-store.ts";
import type { State } from "../stores/state/state.ts";
import type { Digested, DigestedEvent, DigestedItem, SequencedOutcome } from "./digested.ts";
import { splitDuplicates } from "./split-duplicates.ts";

export interface DigestStores {
  state: Pick<State, "batches">;
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
  /** Events and items that were left out because they came before. */
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
  const { fresh, duplicates } = await splitDuplicates(stores.events, digested, applied.events);
  // What the event store has applied has its payload already; appending it again would only be waste.
  const newEvents = fresh.events.filter(({ row }) => row.sequence >= applied.events);
  const newItems = fresh.items.filter(({ row }) => row.sequence >= applied.events);
  const refs = await appendPayloads(stores.payloads, newEvents, newItems);

  const outcomes: SequencedOutcome[] = [...digested.outcomes];
  for (const event of fresh.events) outcomes.push(toOutcome(event, "accepted", ""));
  for (const event of duplicates.events) outcomes.push(toOutcome(event, "duplicate", "event_id_seen"));
  for (const { outcome } of fresh.items) outcomes.push(outcome);
  for (const { outcome } of duplicates.items)
    outcomes.push({ ...outcome, outcome: "duplicate", reason: "event_id_seen" });
  const assignments = await stores.state.batches.applyBatch({
    journalId,
    upTo,
    occurrences: fresh.events.map(({ occurrence }) => occurrence),
    outcomes,
    checkIns: fresh.items.flatMap(({ checkIn, row: { sequence, projectId, receivedAt } }) =>
      checkIn ? [{ ...checkIn, sequence, projectId, receivedAt }] : [],
    ),
  });

  const issueOf = new Map<DigestedEvent, number>();
  fresh.events.forEach((event, index) => {
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
  return {
    ...summarize({ fresh: fresh.events, assignments, outcomes }, applied),
    duplicates: duplicates.events.length + duplicates.items.length,
  };
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
  const { category, canBeReported } = event;
  const counted: SequencedOutcome = { sequence, projectId, receivedAt, category, outcome, reason, quantity: 1 };
  return canBeReported ? { ...counted, canBeReported } : counted;
}

function summarize(
  batch: {
    fresh: DigestedEvent[];
    assignments: IssueAssignment[];
    outcomes: SequencedOutcome[];
  },
  applied: AppliedPositions,
): Omit<CommittedBatch, "duplicates"> {
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
  return { changes, stored };
}

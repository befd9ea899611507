import type { Digested, DigestedItem, SequencedOutcome } from "../signals/digested.ts";
import type { EventRow, EventStore, ItemRow } from "../stores/event-store.ts";
import type { PayloadRef, PayloadStore } from "../stores/payload-store.ts";
import type { IssueAssignment } from "../stores/state/batch-store.ts";
import type { State } from "../stores/state/state.ts";
import { findRepeats } from "./find-repeats.ts";

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
  const repeats = await findRepeats(stores.events, digested.items, applied.events);
  const fresh = digested.items.filter((item) => !repeats.has(item));
  // What the event store has applied has its payload already; appending it again would only be waste.
  const unstored = fresh.filter(({ sequence }) => sequence >= applied.events);
  const refs = await appendPayloads(stores.payloads, unstored);

  const outcomes: SequencedOutcome[] = [...digested.outcomes];
  for (const item of digested.items) {
    outcomes.push(
      repeats.has(item) ? { ...item.outcome, outcome: "duplicate", reason: "event_id_seen" } : item.outcome,
    );
  }
  const occurring = fresh.filter(({ occurrence }) => occurrence !== undefined);
  const assignments = await stores.state.batches.applyBatch({
    journalId,
    upTo,
    occurrences: occurring.flatMap(({ occurrence }) => occurrence ?? []),
    outcomes,
    checkIns: fresh.flatMap(({ checkIn, sequence, projectId, receivedAt }) =>
      checkIn ? [{ ...checkIn, sequence, projectId, receivedAt }] : [],
    ),
  });

  const issueOf = new Map<DigestedItem, number>();
  occurring.forEach((item, index) => {
    issueOf.set(item, (assignments[index] as IssueAssignment).issueId);
  });
  const events: EventRow[] = [];
  const items: ItemRow[] = [];
  for (const [index, item] of unstored.entries()) {
    const payload = refs[index] as PayloadRef;
    if (item.row.table === "items") items.push({ ...item.row.values, payload });
    else events.push({ ...item.row.values, issueId: issueOf.get(item) as number, payload });
  }
  await stores.events.append({ journalId, upTo, events, items });
  return { ...summarize({ occurring, assignments, outcomes }, applied), duplicates: repeats.size };
}

async function appendPayloads(payloads: DigestStores["payloads"], items: DigestedItem[]): Promise<PayloadRef[]> {
  const [first] = items;
  if (!first) return [];
  return payloads.append(
    items.map(({ payload }) => payload),
    { receivedAt: first.receivedAt },
  );
}

function summarize(
  batch: {
    occurring: DigestedItem[];
    assignments: IssueAssignment[];
    outcomes: SequencedOutcome[];
  },
  applied: AppliedPositions,
): Omit<CommittedBatch, "duplicates"> {
  const changes: CommittedBatch["changes"] = [];
  batch.occurring.forEach(({ sequence, projectId, occurrence }, index) => {
    const { issueId, transition } = batch.assignments[index] as IssueAssignment;
    if (occurrence !== undefined && sequence >= applied.state)
      changes.push({ issueId, projectId, eventId: occurrence.eventId, transition });
  });
  const stored = new Map<string, number>();
  for (const { sequence, outcome, category, quantity } of batch.outcomes) {
    const isStored = outcome === "accepted" || (outcome === "unsupported" && category === "unknown");
    if (isStored && sequence >= applied.state) stored.set(category, (stored.get(category) ?? 0) + quantity);
  }
  return { changes, stored };
}

import type { SequencedOutcome } from "../signals/digested.ts";
import type { EventLog, SeenEnvironment } from "../stores/events/event-log.ts";
import { fillColumn, type LateColumn, type TableRows } from "../stores/events/rows.ts";
import type { PayloadRef, PayloadStore } from "../stores/payload-store.ts";
import type { IssueAssignment } from "../stores/state/batch-store.ts";
import type { State } from "../stores/state/state.ts";
import { findRepeats } from "./find-repeats.ts";
import type { MappedBatch, MappedItem } from "./mapped-batch.ts";

export interface DigestStores {
  state: Pick<State, "batches">;
  events: Pick<EventLog, "appliedSequence" | "findExisting" | "append">;
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
  batch: MappedBatch,
  { journalId, upTo, applied }: { journalId: string; upTo: number; applied: AppliedPositions },
): Promise<CommittedBatch> {
  const { items, rows } = batch;
  const repeats = await findRepeats(stores.events, items, applied.events);
  const fresh = items.filter((item) => !repeats.has(item));
  // What the event store has applied has its payload already; appending it again would only be waste.
  const refs = await appendPayloads(
    stores.payloads,
    fresh.filter(({ sequence }) => sequence >= applied.events),
  );

  const outcomes: SequencedOutcome[] = [...batch.outcomes];
  for (const item of items) {
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

  const issueIds = new Map(occurring.map((item, index) => [item, (assignments[index] as IssueAssignment).issueId]));
  for (const each of rows) fillLateColumns(each, items, { issueIds, refs });
  const leftOut = repeats.size === 0 ? [] : items.flatMap((item, place) => (repeats.has(item) ? [place] : []));
  await stores.events.append({ journalId, upTo, rows, leftOut, environments: listEnvironments(items) });
  return { ...summarize({ occurring, assignments, outcomes }, applied), duplicates: repeats.size };
}

async function appendPayloads(
  payloads: DigestStores["payloads"],
  items: readonly MappedItem[],
): Promise<Map<MappedItem, PayloadRef>> {
  const kept = items.filter(({ payload }) => payload !== null);
  const [first] = kept;
  if (!first) return new Map();
  const refs = await payloads.append(
    kept.flatMap(({ payload }) => payload ?? []),
    { receivedAt: first.receivedAt },
  );
  return new Map(kept.map((item, index) => [item, refs[index] as PayloadRef]));
}

/** Rows that are left out get zeros. */
function fillLateColumns(
  rows: TableRows,
  items: readonly MappedItem[],
  { issueIds, refs }: { issueIds: ReadonlyMap<MappedItem, number>; refs: ReadonlyMap<MappedItem, PayloadRef> },
): void {
  const cells: Record<LateColumn, (item: MappedItem) => number | undefined> = {
    issue_id: (item) => issueIds.get(item),
    payload_file: (item) => refs.get(item)?.fileId,
    payload_offset: (item) => refs.get(item)?.offset,
    payload_index: (item) => refs.get(item)?.index,
  };
  for (const name of rows.lateColumns) {
    const toNumber = cells[name];
    fillColumn(rows, name, (place) => toNumber(items[place] as MappedItem) ?? 0);
  }
}

/** The latest time of each environment of each project. */
function listEnvironments(items: readonly MappedItem[]): SeenEnvironment[] {
  const latest = new Map<number, Map<string, number>>();
  for (const { projectId, environment, receivedAt } of items) {
    if (environment === null || environment === "") continue;
    const ofProject = latest.get(projectId) ?? new Map<string, number>();
    latest.set(projectId, ofProject);
    ofProject.set(environment, Math.max(receivedAt, ofProject.get(environment) ?? receivedAt));
  }
  return [...latest].flatMap(([projectId, ofProject]) =>
    [...ofProject].map(([environment, seenAt]) => ({ projectId, environment, seenAt })),
  );
}

function summarize(
  batch: {
    occurring: MappedItem[];
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

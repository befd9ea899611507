import { setImmediate as nextTurn } from "node:timers/promises";
import { freeMemory } from "../domain/free-memory.ts";
import type { ReleaseSighting } from "../domain/releases/name-releases.ts";
import { type StoredSignal, signalOfCategory } from "../domain/stored-signal.ts";
import type { SequencedOutcome } from "../signals/digested.ts";
import {
  type AppliedAhead,
  type EventLog,
  NOTHING_AHEAD,
  type RowBatch,
  type SeenEnvironment,
} from "../stores/events/event-log.ts";
import { encodeLoggedRows, type LoggedBatch } from "../stores/events/row-log.ts";
import { fillColumn, type RowsByTable, selectRows } from "../stores/events/rows.ts";
import type { PayloadRef, PayloadStore } from "../stores/payload-store.ts";
import type { IssueAssignment } from "../stores/state/batch-store.ts";
import type { State } from "../stores/state/state.ts";
import { findRepeats } from "./find-repeats.ts";
import type { MappedBatch, MappedItem } from "./mapped-batch.ts";
import { takeFiltered } from "./rules/take-filtered.ts";
import { type VolumeBook, withEvents } from "./rules/volume-book.ts";

export interface DigestStores {
  state: Pick<State, "batches">;
  /** The volume settings of projects that do not store every error. Absent: all projects store every error. */
  volume?: Pick<VolumeBook, "ask">;
  events: Pick<EventLog, "findExisting" | "append">;
  payloads: Pick<PayloadStore, "append">;
}

/** How far each store had applied the journal when the batch was begun: exclusive sequences. */
export interface AppliedPositions {
  state: number;
  events: number;
  /** Later records that the event store has already. Absent: none. */
  ahead?: AppliedAhead;
}

export interface CommitPosition {
  journalId: string;
  /** Exclusive. */
  upTo: number;
  applied: AppliedPositions;
  /** Records of earlier batches that are on their way to the event store. Absent: it has all of them. */
  unstored?: { from: number; upTo: number };
}

export interface CommittedBatch {
  /** The result of the batch, for live pages and metrics. It leaves out everything that an earlier run had applied. */
  changes: Array<{ issueId: number; projectId: number; eventId: string; transition: IssueAssignment["transition"] }>;
  /** Stored items by category. */
  stored: Map<string, number>;
  /** The number of events and items that were left out because they are repeats. */
  duplicates: number;
}

/**
 * Puts the facts of a batch into every store exactly once, in the order of docs/architecture.md: state, then payloads, then events. Rows
 * that do not contain the place of a payload are inserted while payloads are written, and committed after that. Each store skips what it
 * has applied already, so a batch may be committed again after a crash at any point, whole or cut differently.
 *
 * @param onHanded called when only the event store is missing. The next batch may be committed meanwhile
 */
export async function commitBatch(
  stores: DigestStores,
  batch: MappedBatch,
  { journalId, upTo, applied, unstored }: CommitPosition,
  onHanded: () => void = () => undefined,
): Promise<CommittedBatch> {
  const { items, rows } = batch;
  const { ahead = NOTHING_AHEAD } = applied;
  const isStored = (item: MappedItem) => item.sequence < Math.max(applied.events, ahead.signals[signalOf(item)] ?? 0);
  const repeats = await findRepeats(stores.events, items, { isStored, repeatedRecords: ahead.repeats });
  const filtered = await takeFiltered(stores.state.batches, batch, { journalId, applied });
  const fresh = items.filter((item) => !repeats.has(item) && !filtered.reasons.has(item));
  const outcomes: SequencedOutcome[] = [...batch.outcomes];
  for (const item of items) {
    const reason = filtered.reasons.get(item);
    if (repeats.has(item)) outcomes.push({ ...item.outcome, outcome: "duplicate", reason: "event_id_seen" });
    else outcomes.push(reason === undefined ? item.outcome : { ...item.outcome, outcome: "filtered", reason });
  }
  const occurring = fresh.filter(({ occurrence }) => occurrence !== undefined);
  const volume = (await stores.volume?.ask(occurring)) ?? null;
  // It starts in the next turn of the event loop, so that other threads already compress payloads while this one writes state.
  const applying = nextTurn().then(() =>
    stores.state.batches.applyBatch({
      journalId,
      upTo,
      occurrences: occurring.flatMap(({ occurrence }) => occurrence ?? []),
      outcomes: volume === null ? outcomes : withEvents(outcomes, occurring, fresh),
      checkIns: fresh.flatMap(({ checkIn, sequence, projectId, receivedAt }) =>
        checkIn ? [{ ...checkIn, sequence, projectId, receivedAt }] : [],
      ),
      feedback: fresh.flatMap(({ feedback, sequence, projectId, receivedAt }) =>
        feedback ? [{ ...feedback, sequence, projectId, receivedAt }] : [],
      ),
      releases: listReleasesOfSessions(fresh),
      filtered: filtered.events,
      ...(unstored && { storedUpTo: unstored.from }),
      ...(volume && { volume }),
    }),
  );
  // State decides which of these items are stored, so their payloads have to wait for it.
  const stored = volume === null ? fresh : withoutLeftOut(fresh, occurring, await applying);
  const kept = new Set(stored);
  const leftOut = items.flatMap((item, place) => (!kept.has(item) || isStored(item) ? [place] : []));
  const environments = listEnvironments(items);
  const toStore: RowBatch = { journalId, upTo, rows, leftOut, environments };
  if (unstored) toStore.follows = unstored.upTo;
  // Items that the event store has applied have their payload already. Appending it again would only waste space.
  const written = stored.filter((item) => !isStored(item));
  const filling = applying.then((assignments) => {
    fillIssues(
      rows,
      items,
      new Map(occurring.map((item, index) => [item, (assignments[index] as IssueAssignment).issueId])),
    );
    return assignments;
  });
  const parts = splitBySignal(written);
  const whole = parts.size > 1 ? describeBatch(written, [...parts.keys()], repeats) : undefined;
  const entries: Array<Promise<Uint8Array>> = [];
  const appending = [...parts].map(([signal, part]) => {
    const kept = part.filter(({ payload }) => payload !== null);
    const entry = filling.then(() => encodeEntry(toStore, { whole, signal, items, written: part, kept }));
    entry.catch(() => undefined);
    entries.push(entry);
    const appended = stores.payloads.append(
      kept.flatMap(({ payload }) => payload ?? []),
      { receivedAt: (part[0] as MappedItem).receivedAt, signal, entry },
    );
    return appended.then((refs) =>
      kept.map((item, index): [MappedItem, PayloadRef] => [item, refs[index] as PayloadRef]),
    );
  });
  const logged = Promise.all(appending);
  const isBeside = !rows.some(({ lateColumns }) => lateColumns.includes("payload_index"));
  // The entries are copies: the rows themselves move to the store.
  const besides = isBeside && Promise.all([filling, ...entries]).then(() => stores.events.append(toStore, logged));
  // Waits for all of them, also when one fails: the batch is then tried again, and must not run beside its first try.
  await Promise.allSettled([filling, ...appending, logged, besides]);
  const assignments = await filling;
  const refs = await logged;
  for (const entry of entries) freeMemory(await entry);
  if (!isBeside) fillPayloads(rows, items, new Map(refs.flat()));
  const appended = isBeside ? besides : stores.events.append(toStore);
  onHanded();
  await appended;
  const countedOutcomes = outcomes.filter(({ outcome }) => outcome !== "accepted");
  for (const item of stored) countedOutcomes.push(item.outcome);
  return { ...summarize({ occurring, assignments, outcomes: countedOutcomes }, applied), duplicates: repeats.size };
}

/** The releases of a batch's sessions, each release of a project once, with its last record: a batch may have thousands of sessions. */
function listReleasesOfSessions(items: readonly MappedItem[]): ReleaseSighting[] {
  const sightings = new Map<string, ReleaseSighting>();
  for (const { session, sequence, projectId, receivedAt } of items) {
    if (session === undefined) continue;
    const key = `${projectId} ${session.release}`;
    // The last, so that none is taken for applied where some of the batch are.
    const occurredAt = Math.min(session.startedAt, sightings.get(key)?.occurredAt ?? Number.POSITIVE_INFINITY);
    sightings.set(key, { sequence, projectId, receivedAt, release: session.release, occurredAt });
  }
  return [...sightings.values()];
}

/** The items without the events that state only counted, and without the items that belong to these events. */
function withoutLeftOut(
  fresh: readonly MappedItem[],
  occurring: readonly MappedItem[],
  assignments: readonly IssueAssignment[],
): MappedItem[] {
  const leftOut = new Set(occurring.filter((_, at) => assignments[at]?.leftOut !== undefined));
  const records = new Set([...leftOut].map(({ sequence }) => sequence));
  return fresh.filter((item) => !leftOut.has(item) && !(item.dependsOnEvent && records.has(item.sequence)));
}

function signalOf({ outcome }: MappedItem): StoredSignal {
  return signalOfCategory(outcome.category);
}

/** A signal's files hold nothing else, so that its days can be deleted without the others'. Most batches have one signal. */
function splitBySignal(items: readonly MappedItem[]): Map<StoredSignal, MappedItem[]> {
  const bySignal = new Map<StoredSignal, MappedItem[]>();
  for (const item of items) {
    const signal = signalOf(item);
    const part = bySignal.get(signal);
    if (part) part.push(item);
    else bySignal.set(signal, [item]);
  }
  return bySignal;
}

function describeBatch(
  written: readonly MappedItem[],
  signals: readonly StoredSignal[],
  repeats: ReadonlySet<MappedItem>,
): LoggedBatch {
  const repeated = [...repeats].flatMap(({ hasDependents, sequence }) => (hasDependents ? [sequence] : []));
  return { from: lowestSequence(written), signals, ...(repeated.length > 0 && { repeats: repeated }) };
}

function lowestSequence(items: readonly MappedItem[]): number {
  return items.reduce((lowest, { sequence }) => Math.min(lowest, sequence), Number.POSITIVE_INFINITY);
}

/** The rows of one signal as the event store gets them. The event store's rows can be rebuilt from these entries. */
function encodeEntry(
  batch: RowBatch,
  {
    whole,
    signal,
    items,
    written,
    kept,
  }: {
    whole: LoggedBatch | undefined;
    signal: StoredSignal;
    items: readonly MappedItem[];
    written: readonly MappedItem[];
    kept: readonly MappedItem[];
  },
): Uint8Array {
  const places = new Map(kept.map((item, place) => [item, place]));
  const isOfSignal = (item: number) => signalOf(items[item] as MappedItem) === signal;
  return encodeLoggedRows(
    {
      ...batch,
      batch: whole,
      from: lowestSequence(written),
      rows: batch.rows.map((rows) => selectRows(rows, isOfSignal)).filter(({ count }) => count > 0),
      environments: listEnvironments(items.filter((item) => signalOf(item) === signal)),
    },
    (item) => places.get(items[item] as MappedItem) ?? null,
  );
}

function fillIssues(rows: RowsByTable, items: readonly MappedItem[], issueIds: ReadonlyMap<MappedItem, number>): void {
  for (const each of rows) {
    if (!each.lateColumns.includes("issue_id")) continue;
    fillColumn(each, "issue_id", (place) => issueIds.get(items[place] as MappedItem) ?? 0);
  }
}

const PAYLOAD_CELLS = {
  payload_file: (ref: PayloadRef) => ref.fileId,
  payload_offset: (ref: PayloadRef) => ref.offset,
  payload_index: (ref: PayloadRef) => ref.index,
};

/** Rows that are left out get zeros. */
function fillPayloads(
  rows: RowsByTable,
  items: readonly MappedItem[],
  refs: ReadonlyMap<MappedItem, PayloadRef>,
): void {
  for (const each of rows) {
    for (const name of each.lateColumns) {
      if (name === "issue_id") continue;
      fillColumn(each, name, (place) => {
        const ref = refs.get(items[place] as MappedItem);
        return ref ? PAYLOAD_CELLS[name](ref) : 0;
      });
    }
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

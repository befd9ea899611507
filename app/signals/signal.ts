import type { DataCategory } from "../domain/data-category.ts";
import type { SentryEvent } from "../domain/event.ts";
import type { WantedMap } from "../domain/symbolication.ts";
import type { GroupingMoves } from "../grouping/grouping-moves.ts";
import type { RulesByProject } from "../grouping/rules/project-rules.ts";
import type { EnvelopeEntry } from "../journal/journal-entry.ts";
import type { ItemHeader } from "../protocol/parse-envelope.ts";
import type { NewRow } from "../stores/events/rows.ts";
import type { BatchRules } from "./batch-rules.ts";
import type { Digested, SequencedOutcome } from "./digested.ts";

/** Everything that ingest and digest know of one kind of item. A folder beside this file has those of one kind of data. */
export interface Signal {
  /** Its types on the wire. None: every type that no other signal has. */
  itemTypes: readonly string[];
  /** Whether the header is that of this signal, where several have a type. */
  matches?(header: ItemHeader): boolean;
  /** Its row in the loss ledger, and what a rate limit on it is called. */
  category: DataCategory;
  /** Items of one group share their limits within an envelope, and the ledger names the group. */
  group: string;
  limits: ItemLimits;
  /** At most one of these per envelope; a request whose event is refused is refused. */
  isEventLike: boolean;
  /** What its envelope was sent for: other items are worth nothing without it. */
  isMainItem: boolean;
  /** Worth nothing without the event of the same envelope, when there is one. */
  dependsOnEvent: boolean;
  /** A repeat when the event of the same envelope is one. */
  repeatsWithEvent: boolean;
  /** Its envelope has an event id, which is then given out when the sender gave none. */
  hasEventId: boolean;
  /** One item holds many of what its category counts, `item_count` of them. */
  isContainer: boolean;
  /** Whether nobody waits for an item with this payload: then it may be digested after what came later. */
  isBulk(payload: Uint8Array): boolean;
  /**
   * From an item to what is stored of it: a function of the item alone, apart from source maps, so that a second reading gives
   * the same. What it throws sets the item aside.
   */
  read(item: ArrivedItem, context: ReadContext): Digested | Promise<Digested>;
  /**
   * Makes rows of an item that an earlier version has stored whole; null: nothing of it can be a row. Absent: its items are stored whole.
   *
   * @param value what the item's payload says, scrubbed
   */
  turn?(value: Record<string, unknown>, item: ArrivedItem): TurnedItem | null;
}

/** An item that was stored whole, as rows. */
export interface TurnedItem {
  rows: readonly NewRow[];
  /** What stays in its payload, like parts that no row can hold. Null: nothing. */
  rest: Record<string, unknown> | null;
  /** How many of its category the rest is. */
  restQuantity: number;
}

/**
 * Sizes are bytes of payload after decompression. The figures of the signals are the defaults of Sentry's Relay (protocol 2.5,
 * checked 2026-08); what is not stated there says so.
 */
export interface ItemLimits {
  maxItemBytes: number;
  /** All items of the group in one envelope together. */
  maxTotalBytes: number;
  maxCount: number;
}

/** An item of an accepted envelope, with everything that is known about how it came. */
export interface ArrivedItem {
  signal: Signal;
  sequence: number;
  /** Place of the item in its envelope. */
  itemIndex: number;
  entry: EnvelopeEntry;
  envelopeHeader: Record<string, unknown>;
  header: ItemHeader;
  payload: Uint8Array;
  /** Whether the envelope has an event, transaction or security report besides this item. */
  isBesideEvent: boolean;
  /** The minidump in the envelope. */
  minidump?: Uint8Array;
}

export interface ReadContext {
  /** Reads an item whose payload says that it is of another type than its header does. */
  readAs(item: ArrivedItem, type: string): Digested | Promise<Digested>;
  /** Maps the frames of an event to their sources; null: events are stored as they came. A failed store rejects. */
  mapToSources: ((event: SentryEvent, projectId: number) => MappedEvent | Promise<MappedEvent>) | null;
  /** What projects take in; null: everything. */
  rules: BatchRules | null;
  /** By what a project's data is scrubbed. They hold for records that are read again, too. */
  scrubRulesOf: BatchRules["scrubRulesOf"];
  /** Which projects have issues of an earlier version of the grouping. */
  groupingMoves: GroupingMoves;
  /** What people decided about the grouping, as it is for this batch. */
  groupingRules: RulesByProject;
}

/** What source maps gave for an event. */
export interface MappedEvent {
  event: SentryEvent;
  /** What a later upload could mend. */
  wanted: WantedMap[];
  isLate?: boolean;
}

/** For `isBulk`, of signals that come in masses and that nobody is told of. */
export const ALWAYS_BULK = () => true;

type Definition = Pick<Signal, "itemTypes" | "category" | "group" | "limits" | "read"> & Partial<Signal>;

/** A signal with the traits that most have. */
export function defineSignal(definition: Definition): Signal {
  const { isEventLike = false, dependsOnEvent = false } = definition;
  return {
    isEventLike,
    isMainItem: isEventLike,
    dependsOnEvent,
    repeatsWithEvent: dependsOnEvent,
    hasEventId: isEventLike,
    isContainer: false,
    isBulk: () => false,
    ...definition,
  };
}

/** What every count of the ledger says of the item that is counted. */
export function toOutcomeBase({ sequence, entry, signal }: ArrivedItem) {
  const { projectId, receivedAt, canBeReported } = entry;
  const base: Pick<SequencedOutcome, "sequence" | "projectId" | "receivedAt" | "category"> = {
    sequence,
    projectId,
    receivedAt,
    category: signal.category,
  };
  // What becomes of an item does not matter here: its SDK was told that it is lost.
  return canBeReported ? { ...base, canBeReported } : base;
}

/** Of an item that is worth nothing: it is counted, and not stored. */
export function malformed(item: ArrivedItem, reason: string, quantity = 1): Digested {
  return {
    items: [],
    outcomes: [{ ...toOutcomeBase(item), outcome: "malformed", reason, quantity }],
    setAside: [],
  };
}

/**
 * How many of its category an item counts as where its payload is not read: `item_count` of containers, within what the
 * payload could hold at 16 bytes each, and one for everything else.
 */
export function itemQuantity(signal: Signal, header: Record<string, unknown>, payloadBytes: number): number {
  if (!signal.isContainer) return 1;
  const claimed = header.item_count;
  if (typeof claimed !== "number" || !Number.isInteger(claimed) || claimed < 1) return 1;
  return Math.max(1, Math.min(claimed, Math.floor(payloadBytes / 16)));
}

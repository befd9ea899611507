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
  /** Its item types in envelopes. None: the signal takes every type that no other signal has. */
  itemTypes: readonly string[];
  /** Whether the header is that of this signal, where several have a type. */
  matches?(header: ItemHeader): boolean;
  /** Its category in the loss ledger and in rate limits. */
  category: DataCategory;
  /** Items of one group share their limits within an envelope, and the ledger names the group. */
  group: string;
  limits: ItemLimits;
  /** An envelope may have at most one of these. If such an event is refused, the whole request is refused. */
  isEventLike: boolean;
  /** The main item of its envelope: without it, the other items are worthless. */
  isMainItem: boolean;
  /** Worth nothing without the event of the same envelope, when there is one. */
  dependsOnEvent: boolean;
  /** A repeat when the event of the same envelope is one. */
  repeatsWithEvent: boolean;
  /** Its envelope has an event id. Ingest makes one if the sender gave none. */
  hasEventId: boolean;
  /** True if an item contains several units of its category, `item_count` of them. */
  isContainer: boolean;
  /** Whether nobody waits for an item with this payload. It may then be digested after items that came later. */
  isBulk(payload: Uint8Array): boolean;
  /**
   * Reads an item into the rows and payload to store. Apart from source maps, the result depends on the item alone, so that a second
   * reading gives the same. If it throws, the item is set aside.
   */
  read(item: ArrivedItem, context: ReadContext): Digested | Promise<Digested>;
  /**
   * Makes rows of an item that an earlier version has stored whole; null: nothing of it can be a row. Absent: its items are stored whole.
   *
   * @param value what the item's payload says, scrubbed
   */
  convert?(value: Record<string, unknown>, item: ArrivedItem): ConvertedItem | null;
}

/** The rows of an item that an earlier version stored whole. */
export interface ConvertedItem {
  rows: readonly NewRow[];
  /** The part that stays in its payload, like values that fit into no row. Null: nothing. */
  rest: Record<string, unknown> | null;
  /** How many units of its category the rest counts. */
  restQuantity: number;
}

/**
 * Limits of a signal. Sizes are bytes of payload after decompression. The numbers are the defaults of Sentry's Relay (protocol 2.5, checked
 * 2026-08), unless a comment says otherwise.
 */
export interface ItemLimits {
  maxItemBytes: number;
  /** The limit for all items of the group in one envelope together. */
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
  /** Reads an item as another type than its header says, because its payload says so. */
  readAs(item: ArrivedItem, type: string): Digested | Promise<Digested>;
  /** Maps the frames of an event to their sources; null: events are stored as they came. A failed store rejects. */
  mapToSources: ((event: SentryEvent, projectId: number) => MappedEvent | Promise<MappedEvent>) | null;
  /** The rules by which projects accept events. Null: they accept everything. */
  rules: BatchRules | null;
  /** The rules by which a project's data is scrubbed. They also apply to records that are read again. */
  scrubRulesOf: BatchRules["scrubRulesOf"];
  /** Which projects have issues of an earlier version of the grouping. */
  groupingMoves: GroupingMoves;
  /** The grouping rules that people wrote, as they are for this batch. */
  groupingRules: RulesByProject;
}

/** The result of source maps for an event. */
export interface MappedEvent {
  event: SentryEvent;
  /** Missing maps that a later upload could provide. */
  wanted: WantedMap[];
  isLate?: boolean;
}

/** For `isBulk` of signals that come in masses, and about which nobody is notified. */
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

/** The fields that every ledger entry about this item has. */
export function toOutcomeBase({ sequence, entry, signal }: ArrivedItem) {
  const { projectId, receivedAt, canBeReported } = entry;
  const base: Pick<SequencedOutcome, "sequence" | "projectId" | "receivedAt" | "category"> = {
    sequence,
    projectId,
    receivedAt,
    category: signal.category,
  };
  // The final outcome does not matter here: the SDK was told that the item is lost.
  return canBeReported ? { ...base, canBeReported } : base;
}

/** The result for a malformed item: it is counted, and not stored. */
export function malformed(item: ArrivedItem, reason: string, quantity = 1): Digested {
  return {
    items: [],
    outcomes: [{ ...toOutcomeBase(item), outcome: "malformed", reason, quantity }],
    setAside: [],
  };
}

/**
 * How many units of its category an item counts if its payload is not read. For containers it is `item_count`, but at most what the payload
 * can hold at 16 bytes each. For other items it is one.
 */
export function itemQuantity(signal: Signal, header: Record<string, unknown>, payloadBytes: number): number {
  if (!signal.isContainer) return 1;
  const claimed = header.item_count;
  if (typeof claimed !== "number" || !Number.isInteger(claimed) || claimed < 1) return 1;
  return Math.max(1, Math.min(claimed, Math.floor(payloadBytes / 16)));
}

import type { JournalRecord } from "../journal/journal.ts";
import { decodeJournalEntry, type EnvelopeEntry } from "../journal/journal-entry.ts";
import { cleanHeader } from "../protocol/clean-header.ts";
import { findItemType, itemQuantity } from "../protocol/item-types.ts";
import { type EnvelopeParseLimits, parseEnvelope } from "../protocol/parse-envelope.ts";
import { digestEventItem } from "./digest-event-item.ts";
import { digestOtherItem } from "./digest-other-item.ts";
import type { Digested } from "./digested.ts";

/**
 * From journal records to facts: no I/O, no clock, no chance, so that a second reading gives the same. A record or an
 * item that makes this code fail is set aside and counted as malformed, and never stops the others.
 */
export function digestRecords(records: readonly JournalRecord[]): Digested {
  const digested = emptyDigested();
  for (const record of records) digestRecord(record, digested);
  return digested;
}

export function emptyDigested(): Digested {
  return { events: [], items: [], outcomes: [], setAside: [], unmapped: [] };
}

/**
 * Adds the facts of one record. Never throws. With `hasUploads`, events that source maps may help are left in `unmapped` where
 * their project has uploads, and say what they want where it has none.
 */
export function digestRecord(record: JournalRecord, digested: Digested, hasUploads?: HasUploads): void {
  try {
    addRecord(record, digested, hasUploads);
  } catch (error) {
    digested.setAside.push({
      sequence: record.sequence,
      itemIndex: null,
      reason: describe(error),
      bytes: record.bytes,
    });
  }
}

/** Keeps a record that must not be looked into, and counts it as far as its entry can still be read. */
export function setAsideRecord({ sequence, bytes }: JournalRecord, digested: Digested, reason: string): void {
  digested.setAside.push({ sequence, itemIndex: null, reason, bytes });
  try {
    const entry = decodeJournalEntry(bytes);
    const dropped = entry.kind === "envelope" ? entry.dropped : entry.outcomes;
    for (const outcome of dropped) digested.outcomes.push({ ...outcome, sequence });
    if (entry.kind === "outcomes") return;
    const { projectId, receivedAt } = entry;
    const counted = { category: "unknown", outcome: "malformed", reason: "digest_error", quantity: 1 } as const;
    digested.outcomes.push({ sequence, projectId, receivedAt, ...reportability(entry), ...counted });
  } catch {
    // Nobody knows whose it was: the folder's count is all there is.
  }
}

/** Ingest has held it against its limits already; what it had to write anew may have grown beyond them. */
const JOURNALED_LIMITS: EnvelopeParseLimits = { maxHeaderBytes: 1 << 20, maxItemHeaderBytes: 1 << 20, maxItems: 1e6 };

function addRecord(record: JournalRecord, digested: Digested, hasUploads?: HasUploads): void {
  const { sequence } = record;
  const entry = decodeJournalEntry(record.bytes);
  if (entry.kind === "outcomes") {
    for (const outcome of entry.outcomes) digested.outcomes.push({ ...outcome, sequence });
    return;
  }
  for (const outcome of entry.dropped) digested.outcomes.push({ ...outcome, sequence });
  const envelope = parseEnvelope(entry.body, JOURNALED_LIMITS);
  const envelopeHeader = cleanHeader(envelope.header);
  let eventLikeCount = 0;
  for (const { header } of envelope.items) if (findItemType(header).isEventLike) eventLikeCount++;
  envelope.items.forEach((item, itemIndex) => {
    const isBesideEvent = eventLikeCount > (findItemType(item.header).isEventLike ? 1 : 0);
    const arrived: ArrivedItem = {
      sequence,
      itemIndex,
      entry,
      envelopeHeader,
      isBesideEvent,
      hasUploads,
      ...item,
      header: cleanHeader(item.header),
    };
    // Facts are added whole or not at all: a failure half-way must not leave an item in two buckets.
    const facts = emptyDigested();
    try {
      if (isEventItem(arrived.header.type)) digestEventItem(arrived, facts);
      else digestOtherItem(arrived, facts);
    } catch (error) {
      setAsideItem(arrived, digested, error);
      return;
    }
    for (const each of facts.unmapped) digested.unmapped.push({ ...each, place: each.place + digested.events.length });
    digested.events.push(...facts.events);
    digested.items.push(...facts.items);
    digested.outcomes.push(...facts.outcomes);
    digested.setAside.push(...facts.setAside);
  });
}

/** Keeps an item that our code failed on, and counts it. */
export function setAsideItem(arrived: ArrivedItem, digested: Digested, error: unknown): void {
  const { sequence, itemIndex, header, payload } = arrived;
  const reason = `${header.type.slice(0, 64)}: ${describe(error)}`;
  digested.setAside.push({ sequence, itemIndex, reason, bytes: payload });
  const type = findItemType(header);
  digested.outcomes.push({
    ...toOutcomeBase(arrived),
    category: type.category,
    outcome: "malformed",
    reason: "digest_error",
    quantity: itemQuantity(type, header, payload.length),
  });
}

/** Whether a project may have uploads, in which a source map could be. */
export type HasUploads = (projectId: number) => boolean;

/** An item of an accepted envelope, with everything that is known about how it came. */
export interface ArrivedItem {
  sequence: number;
  itemIndex: number;
  entry: EnvelopeEntry;
  envelopeHeader: Record<string, unknown>;
  header: Record<string, unknown> & { type: string };
  payload: Uint8Array;
  /** Whether the envelope has an event, transaction or security report besides this item. */
  isBesideEvent: boolean;
  /** Absent: events are digested as they came, without source maps. */
  hasUploads?: HasUploads | undefined;
}

export function toOutcomeBase({ sequence, entry }: ArrivedItem) {
  return { sequence, projectId: entry.projectId, receivedAt: entry.receivedAt, ...reportability(entry) };
}

/** What becomes of an item does not matter here: its SDK was told that it is lost. */
function reportability({ canBeReported }: EnvelopeEntry): Pick<EnvelopeEntry, "canBeReported"> {
  return canBeReported ? { canBeReported } : {};
}

function isEventItem(type: string): boolean {
  return type === "event" || type === "security" || type === "raw_security";
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message).slice(0, 2000) : String(error);
}

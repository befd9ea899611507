import type { JournalRecord } from "../journal/journal.ts";
import { decodeJournalEntry, type EnvelopeEntry } from "../journal/journal-entry.ts";
import { cleanHeader } from "../protocol/clean-header.ts";
import { type EnvelopeParseLimits, parseEnvelope } from "../protocol/parse-envelope.ts";
import { BUILT_IN_RULES } from "../scrub/scrub-rules.ts";
import { type Digested, emptyDigested } from "../signals/digested.ts";
import { MINIDUMP } from "../signals/error/add-minidump.ts";
import { findSignal } from "../signals/registry.ts";
import { type ArrivedItem, itemQuantity, type ReadContext, toOutcomeBase } from "../signals/signal.ts";

const NO_MOVES: ReadContext["groupingMoves"] = new Map();
const NO_RULES: ReadContext["groupingRules"] = new Map();
const AS_BUILT_IN: ReadContext["scrubRulesOf"] = () => BUILT_IN_RULES;

/** The result for one part of a record. Parts that wait for source maps are promises, which never reject. */
export type DigestedPart = Digested | Promise<Digested>;

/**
 * Turns a journal record into the rows and items to store, in parts. It uses no I/O, clock or random number, so a second reading gives the
 * same result. A record or an item that makes this code fail is set aside and counted as malformed. It never stops the others.
 *
 * @param context see `ReadContext`
 */
export function digestRecord(
  record: JournalRecord,
  {
    mapToSources = null,
    groupingMoves = NO_MOVES,
    groupingRules = NO_RULES,
    rules = null,
    scrubRulesOf = AS_BUILT_IN,
  }: Partial<Omit<ReadContext, "readAs">> = {},
): readonly DigestedPart[] {
  try {
    const readAs: ReadContext["readAs"] = (item, type) => readItemAs(item, type, scrubRulesOf);
    return readRecord(record, { mapToSources, groupingMoves, groupingRules, rules, scrubRulesOf, readAs });
  } catch (error) {
    const { sequence, bytes } = record;
    return [{ ...emptyDigested(), setAside: [{ sequence, itemIndex: null, reason: describe(error), bytes }] }];
  }
}

/** For tests: `digestRecord` for many records, without source maps. */
export function digestRecords(records: readonly JournalRecord[]): Digested {
  const digested = emptyDigested();
  for (const record of records) {
    for (const part of digestRecord(record)) {
      if (!(part instanceof Promise)) addDigested(digested, part);
    }
  }
  return digested;
}

/** Waits for the parts and puts them together, in their order. */
export async function joinParts(parts: readonly DigestedPart[]): Promise<Digested> {
  const digested = emptyDigested();
  for (const part of parts) addDigested(digested, part instanceof Promise ? await part : part);
  return digested;
}

function addDigested(sum: Digested, { items, outcomes, setAside, filtered }: Digested): void {
  for (const item of items) sum.items.push(item);
  for (const outcome of outcomes) sum.outcomes.push(outcome);
  for (const each of setAside) sum.setAside.push(each);
  if (filtered !== undefined) sum.filtered = [...(sum.filtered ?? []), ...filtered];
}

/** Keeps a record that must not be looked into, and counts it as far as its entry can still be read. */
export function setAsideRecord({ sequence, bytes }: JournalRecord, reason: string): Digested {
  const digested: Digested = { ...emptyDigested(), setAside: [{ sequence, itemIndex: null, reason, bytes }] };
  try {
    const entry = decodeJournalEntry(bytes);
    const dropped = entry.kind === "envelope" ? entry.dropped : entry.outcomes;
    for (const outcome of dropped) digested.outcomes.push({ ...outcome, sequence });
    if (entry.kind === "outcomes") return digested;
    const { projectId, receivedAt, canBeReported } = entry;
    const counted = { category: "unknown", outcome: "malformed", reason: "digest_error", quantity: 1 } as const;
    digested.outcomes.push({
      sequence,
      projectId,
      receivedAt,
      ...(canBeReported ? { canBeReported } : {}),
      ...counted,
    });
  } catch {
    // The entry does not tell the project, so the record only counts in the folder.
  }
  return digested;
}

/**
 * The limits for parsing journaled envelopes. Ingest has checked them already, but parts that it rewrote may have grown beyond its limits.
 */
const JOURNALED_LIMITS: EnvelopeParseLimits = {
  maxHeaderBytes: 1 << 20,
  maxItemHeaderBytes: 1 << 20,
  maxItemHeadersBytes: Number.POSITIVE_INFINITY,
  maxItems: 1e6,
  maxBlankBytes: Number.POSITIVE_INFINITY,
};

function readRecord(record: JournalRecord, context: ReadContext): readonly DigestedPart[] {
  const { sequence } = record;
  const entry = decodeJournalEntry(record.bytes);
  const counted = entry.kind === "outcomes" ? entry.outcomes : entry.dropped;
  const parts: DigestedPart[] = [];
  if (counted.length > 0)
    parts.push({ ...emptyDigested(), outcomes: counted.map((outcome) => ({ ...outcome, sequence })) });
  if (entry.kind === "envelope") readEnvelope(sequence, entry, context, parts);
  return parts;
}

function readEnvelope(sequence: number, entry: EnvelopeEntry, context: ReadContext, parts: DigestedPart[]): void {
  const envelope = parseEnvelope(entry.body, JOURNALED_LIMITS);
  const envelopeHeader = cleanHeader(envelope.header);
  const signals = envelope.items.map(({ header }) => findSignal(header));
  const minidump = envelope.items.find(({ header }) => header.attachment_type === MINIDUMP)?.payload;
  let eventLikeCount = 0;
  for (const { isEventLike } of signals) if (isEventLike) eventLikeCount++;
  for (const [itemIndex, { header, payload }] of envelope.items.entries()) {
    const signal = signals[itemIndex] ?? findSignal(header);
    parts.push(
      readItem(
        {
          signal,
          sequence,
          itemIndex,
          entry,
          envelopeHeader,
          header: cleanHeader(header),
          payload,
          isBesideEvent: eventLikeCount > (signal.isEventLike ? 1 : 0),
          ...(minidump === undefined ? {} : { minidump }),
        },
        context,
      ),
    );
  }
}

/** An item is added whole or not at all: a failure half-way must not leave it in two buckets. */
function readItem(item: ArrivedItem, context: ReadContext): DigestedPart {
  try {
    const read = item.signal.read(withoutAddress(item, context), context);
    return read instanceof Promise ? read.catch((error: unknown) => setAsideItem(item, error)) : read;
  } catch (error) {
    return setAsideItem(item, error);
  }
}

function readItemAs(item: ArrivedItem, type: string, scrubRulesOf: ReadContext["scrubRulesOf"]) {
  const header = { ...item.header, type };
  const signal = findSignal(header);
  const context: ReadContext = {
    mapToSources: null,
    groupingMoves: NO_MOVES,
    groupingRules: NO_RULES,
    rules: null,
    scrubRulesOf,
    readAs: (other, otherType) => readItemAs(other, otherType, scrubRulesOf),
  };
  return signal.read(withoutAddress({ ...item, header, signal }, context), context);
}

/** Filters ask for the sender of an event, and scrubbing takes the address out of it. Of others it is gone before anything is read. */
function withoutAddress(item: ArrivedItem, { scrubRulesOf }: ReadContext): ArrivedItem {
  const { entry, signal } = item;
  if (!scrubRulesOf(entry.projectId).dropsAddresses || signal.category === "error" || signal.category === "security")
    return item;
  return { ...item, entry: { ...entry, clientAddress: null } };
}

/** Keeps an item that our code failed on, and counts it. */
function setAsideItem(item: ArrivedItem, error: unknown): Digested {
  const { signal, sequence, itemIndex, header, payload } = item;
  const reason = `${header.type.slice(0, 64)}: ${describe(error)}`;
  const quantity = itemQuantity(signal, header, payload.length);
  return {
    items: [],
    outcomes: [{ ...toOutcomeBase(item), outcome: "malformed", reason: "digest_error", quantity }],
    setAside: [{ sequence, itemIndex, reason, bytes: payload }],
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message).slice(0, 2000) : String(error);
}

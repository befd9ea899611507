import { MIB } from "../domain/bytes.ts";
import { DAY_MS } from "../domain/time.ts";
import { clockDriftSeconds } from "../normalize/normalize-timestamps.ts";
import { normalizeEventId } from "../protocol/event-id.ts";
import { type JsonRepair, parseJson } from "../protocol/parse-json.ts";
import { encodeStoredItem } from "../protocol/stored-item.ts";
import { scrubJson } from "../scrub/scrub-json.ts";
import { ITEMS, type NewItemRow } from "../stores/events/item-table.ts";
import { type NewRow, toNewRow } from "../stores/events/rows.ts";
import type { Digested, DigestedItem, SequencedOutcome } from "./digested.ts";
import { type ItemSummary, type Json, toShortText, toSummary } from "./item-summary.ts";
import { type ArrivedItem, itemQuantity, malformed, type Signal, toOutcomeBase } from "./signal.ts";

/** How long items are kept that this version does not understand, for a later version that does. */
const UNKNOWN_RETENTION_MS = 7 * DAY_MS;
/** Larger JSON (profiles) is stored unread: parsing it would take more memory than its page is worth here. */
const MAX_PARSED_BYTES = 16 * MIB;
const MAX_FUTURE_MS = 60_000;
const MAX_AGE_MS = 30 * DAY_MS;
const encoder = new TextEncoder();

/** See `ItemRow`. */
export type FileFacts = Pick<NewItemRow, "contentType" | "attachmentType" | "contentSha1">;

/** How a signal checks and reads its JSON items that are stored whole. */
export interface StoredJson {
  /**
   * A text is the reason (a token) why the item is worth nothing.
   *
   * @param arrivedAt what the sender's clock showed when the item came, in milliseconds since 1970.
   */
  summarize(value: Json, arrivedAt: number): ItemSummary | string;
  /** See `DigestedItem`. Absent: the items have none. `value` is empty where the payload is too large to be parsed. */
  identify?(value: Json, item: ArrivedItem): string | null;
  /** The other effects of the item, for the stores. */
  effects?(
    value: Json,
    item: ArrivedItem,
  ): Pick<DigestedItem, "checkIn" | "feedback"> & { outcomes?: SequencedOutcome[] };
  /** Takes the parts out of the item that become rows. They are not in the payload then. */
  split?(value: Json, item: ArrivedItem): SplitItem;
}

/** An item whose parts became rows. */
export interface SplitItem {
  /** The remaining value. It is the same object if nothing was taken out. */
  value: Json;
  rows: readonly NewRow[];
  /** Outcomes of the parts that could not be stored. */
  outcomes: SequencedOutcome[];
}

/** Reads items of JSON: checked as far as their kind has fatal mistakes, scrubbed, and stored whole. */
export function storeJson({ summarize, identify, effects, split }: StoredJson): Signal["read"] {
  return (item, { scrubRulesOf }) => {
    const driftMs = toDriftMs(item);
    if (item.payload.length > MAX_PARSED_BYTES) {
      return toDigested(item, driftMs, { summary: toSummary({}), identity: identify?.({}, item) ?? null });
    }
    const parsed = parseItemObject(item);
    const quantity = itemQuantity(item.signal, item.header, item.payload.length);
    if (!parsed.ok) return malformed(item, parsed.reason, quantity);
    // Scrubbed before anything is read, so that lists do not show values that the payload no longer has.
    const scrubbed = scrubJson(parsed.value, scrubRulesOf(item.entry.projectId));
    const value = scrubbed.value as Json;
    const summary = summarize(value, item.entry.receivedAt - driftMs);
    if (typeof summary === "string") return malformed(item, summary, quantity);
    // Bytes that are no UTF-8 say more as they came.
    const isAsSent = !scrubbed.changed && parsed.repairs.every((repair) => repair === "invalid-utf8");
    const { outcomes, checkIn, feedback } = effects?.(value, item) ?? {};
    const parts = split?.(value, item) ?? { value, rows: [], outcomes: [] };
    return toDigested(item, driftMs, {
      summary,
      identity: identify?.(value, item) ?? null,
      ...(isAsSent && parts.value === value ? {} : { payload: encoder.encode(JSON.stringify(parts.value)) }),
      outcomes: [...(outcomes ?? []), ...parts.outcomes],
      rows: parts.rows,
      ...(checkIn ? { checkIn } : {}),
      ...(feedback ? { feedback } : {}),
    });
  };
}

/** The same for items that are not JSON, or whose JSON is never read. */
export function storeBytes({
  summarize = ({ header }) => toSummary({ name: toShortText(header.filename) }),
  identify,
  readFacts,
}: {
  summarize?(item: ArrivedItem): ItemSummary;
  identify?(item: ArrivedItem): string | null;
  readFacts?(item: ArrivedItem): FileFacts;
} = {}): Signal["read"] {
  return (item) =>
    toDigested(item, toDriftMs(item), {
      summary: summarize(item),
      identity: identify?.(item) ?? null,
      file: { contentBytes: item.payload.length, ...readFacts?.(item) },
    });
}

/** The payload as a JSON object, or the ledger's reason why it is malformed. */
export function parseItemObject(
  { payload }: ArrivedItem,
  options?: { keepsPrototypeKeys: boolean },
): { ok: true; value: Json; repairs: readonly JsonRepair[] } | { ok: false; reason: string } {
  const parsed = parseJson(payload, options);
  if (!parsed.ok) return { ok: false, reason: toJsonReason(parsed.reason) };
  const { value, repairs } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { ok: false, reason: "not_an_object" };
  return { ok: true, value: value as Json, repairs };
}

/** The ledger's reason for a malformed JSON text. */
export function toJsonReason(reason: string): string {
  return `json_${reason.replaceAll(" ", "_").toLowerCase()}`;
}

interface ReadParts extends Pick<DigestedItem, "checkIn" | "feedback" | "identity"> {
  summary: ItemSummary;
  /** Absent: the item is no file. */
  file?: Pick<NewItemRow, "contentBytes"> & Partial<FileFacts>;
  /** The payload to store, if it differs from the one that came. */
  payload?: Uint8Array;
  outcomes?: SequencedOutcome[];
  rows?: readonly NewRow[];
}

function toDigested(item: ArrivedItem, driftMs: number, parts: ReadParts): Digested {
  const { entry, header, signal, envelopeHeader, sequence } = item;
  const { summary, identity, checkIn, feedback, outcomes = [], rows = [] } = parts;
  const { projectId, receivedAt } = entry;
  const isKnown = signal.category !== "unknown";
  const payload = encodeStoredItem({
    envelopeHeader,
    header,
    request: {
      clientAddress: entry.clientAddress,
      userAgent: entry.userAgent,
      ...(entry.clientHints ? { clientHints: entry.clientHints } : {}),
    },
    payload: parts.payload ?? item.payload,
  });
  const digested: DigestedItem = {
    sequence,
    projectId,
    receivedAt,
    identity,
    dependsOnEvent: signal.repeatsWithEvent,
    hasDependents: signal.isEventLike || (signal.isMainItem && !item.isBesideEvent),
    outcome: {
      ...toOutcomeBase(item),
      outcome: isKnown ? "accepted" : "unsupported",
      reason: isKnown ? "" : "unknown_item_type",
      quantity: Math.max(1, summary.quantity),
    },
    payload,
    ...(checkIn ? { checkIn } : {}),
    ...(feedback ? { feedback } : {}),
    environment: summary.environment,
    rows: [
      toNewRow(ITEMS, {
        sequence,
        itemIndex: item.itemIndex,
        projectId,
        type: header.type.slice(0, 64).toWellFormed(),
        category: signal.category,
        quantity: summary.quantity,
        eventId: summary.eventId ?? entry.eventId,
        traceId: summary.traceId ?? toTraceId(envelopeHeader.trace),
        occurredAt: toInstant(summary.occurredAt, driftMs, receivedAt),
        receivedAt,
        environment: summary.environment,
        release: summary.release,
        identity,
        name: summary.name?.slice(0, 200) ?? null,
        expiresAt: isKnown ? null : receivedAt + UNKNOWN_RETENTION_MS,
        payloadBytes: payload.length,
        contentBytes: null,
        contentType: null,
        attachmentType: null,
        contentSha1: null,
        ...parts.file,
      }),
      ...rows,
    ],
  };
  return { items: [digested], outcomes, setAside: [] };
}

/** How far the server's clock is ahead of the sender's, in milliseconds. 0 when they are about the same. */
export function toDriftMs({ envelopeHeader, entry }: ArrivedItem): number {
  return Math.round(clockDriftSeconds(envelopeHeader.sent_at, entry.receivedAt / 1000) * 1000);
}

/** The time by the server's clock. If it is far off even then, the arrival counts (protocol 5.2). */
function toInstant(occurredAt: number | null, driftMs: number, receivedAt: number): number {
  if (occurredAt === null) return receivedAt;
  const instant = occurredAt + driftMs;
  return instant > receivedAt + MAX_FUTURE_MS || instant < receivedAt - MAX_AGE_MS ? receivedAt : instant;
}

function toTraceId(trace: unknown): string | null {
  const id = typeof trace === "object" && trace !== null ? (trace as { trace_id?: unknown }).trace_id : null;
  return normalizeEventId(id);
}

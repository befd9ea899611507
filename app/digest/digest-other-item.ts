import { type DiscardedItems, parseClientReport } from "../protocol/client-report.ts";
import { normalizeEventId } from "../protocol/event-id.ts";
import { findItemType, itemQuantity } from "../protocol/item-types.ts";
import { parseJson } from "../protocol/parse-json.ts";
import { refusedCategoriesOf } from "../protocol/reported-loss.ts";
import { encodeStoredItem } from "../protocol/stored-item.ts";
import { type ArrivedItem, toOutcomeBase } from "./digest-records.ts";
import type { Digested } from "./digested.ts";
import { toItemIdentity } from "./item-identity.ts";
import { clockDriftSeconds } from "./normalize/normalize-timestamps.ts";
import { readCheckIn } from "./read-check-in.ts";
import { type ItemFacts, type ItemReader, readItemFacts } from "./read-item-facts.ts";
import { scrubJson } from "./scrub/scrub-json.ts";

const DAY_MS = 86_400_000;
/** What no version of ours understands yet is kept so long, to be read by one that does. */
const UNKNOWN_RETENTION_MS = 7 * DAY_MS;
/** Larger JSON (profiles) is stored unread: parsing it would take more memory than its page is worth here. */
const MAX_PARSED_BYTES = 16 * 1024 * 1024;
const MAX_FUTURE_MS = 60_000;
const MAX_AGE_MS = 30 * DAY_MS;
const encoder = new TextEncoder();

/** Everything that is not an event: checked as far as its kind has fatal mistakes, and stored whole. */
export function digestOtherItem(arrived: ArrivedItem, facts: Digested): void {
  const { header, entry } = arrived;
  const type = findItemType(header);
  const base = { ...toOutcomeBase(arrived), category: type.category };
  const driftMs = Math.round(clockDriftSeconds(arrived.envelopeHeader.sent_at, entry.receivedAt / 1000) * 1000);
  const read = readPayload(arrived, readItemFacts(header), driftMs);
  if (!read.ok) {
    const quantity = itemQuantity(type, header, arrived.payload.length);
    facts.outcomes.push({ ...base, outcome: "malformed", reason: read.reason, quantity });
    return;
  }
  if (header.type === "client_report") addDiscarded(arrived, read.value, facts);

  const isKnown = type.category !== "unknown";
  const checkIn = header.type === "check_in" ? readCheckIn(read.value) : null;
  const payload = encodeStoredItem({
    envelopeHeader: arrived.envelopeHeader,
    header,
    request: {
      clientAddress: entry.clientAddress,
      userAgent: entry.userAgent,
      ...(entry.clientHints ? { clientHints: entry.clientHints } : {}),
    },
    payload: read.payload,
  });
  facts.items.push({
    payload,
    ...(checkIn ? { checkIn } : {}),
    dependsOnEvent: type.dependsOnEvent || header.type === "user_report",
    hasDependents: type.isEventLike || (header.type === "feedback" && !arrived.isBesideEvent),
    outcome: {
      ...base,
      outcome: isKnown ? "accepted" : "unsupported",
      reason: isKnown ? "" : "unknown_item_type",
      quantity: Math.max(1, read.facts.quantity),
    },
    row: {
      sequence: arrived.sequence,
      itemIndex: arrived.itemIndex,
      projectId: entry.projectId,
      type: header.type.slice(0, 64).toWellFormed(),
      category: type.category,
      quantity: read.facts.quantity,
      eventId: read.facts.eventId ?? entry.eventId,
      traceId: read.facts.traceId ?? toTraceId(arrived.envelopeHeader.trace),
      occurredAt: toInstant(read.facts.occurredAt, driftMs, entry.receivedAt),
      receivedAt: entry.receivedAt,
      environment: read.facts.environment,
      release: read.facts.release,
      identity: toItemIdentity(header.type, {
        value: read.value,
        payload: read.payload,
        envelopeEventId: entry.eventId,
        isBesideEvent: arrived.isBesideEvent,
      }),
      name: read.facts.name?.slice(0, 200) ?? null,
      expiresAt: isKnown ? null : entry.receivedAt + UNKNOWN_RETENTION_MS,
      payloadBytes: payload.length,
    },
  });
}

type ReadPayload = { ok: true; facts: ItemFacts; payload: Uint8Array; value: unknown } | { ok: false; reason: string };

function readPayload({ payload, header, entry }: ArrivedItem, reader: ItemReader, driftMs: number): ReadPayload {
  if (reader.kind === "bytes" || payload.length > MAX_PARSED_BYTES) {
    return {
      ok: true,
      facts: reader.kind === "bytes" ? reader.read(header, payload) : EMPTY_FACTS,
      payload,
      value: null,
    };
  }
  const parsed = parseJson(payload);
  if (!parsed.ok) return { ok: false, reason: `json_${parsed.reason.replaceAll(" ", "_").toLowerCase()}` };
  if (typeof parsed.value !== "object" || parsed.value === null || Array.isArray(parsed.value))
    return { ok: false, reason: "not_an_object" };
  // Before anything is read from it: what a list shows of an item must not say what its payload no longer does.
  const scrubbed = scrubJson(parsed.value);
  const read = reader.read(scrubbed.value as Record<string, unknown>, entry.receivedAt - driftMs);
  if (typeof read === "string") return { ok: false, reason: read };
  // Bytes that are no UTF-8 say more as they came.
  const isAsSent = !scrubbed.changed && parsed.repairs.every((repair) => repair === "invalid-utf8");
  return {
    ok: true,
    facts: read,
    payload: isAsSent ? payload : encoder.encode(JSON.stringify(scrubbed.value)),
    value: scrubbed.value,
  };
}

const EMPTY_FACTS: ItemFacts = {
  quantity: 1,
  eventId: null,
  traceId: null,
  occurredAt: null,
  environment: null,
  release: null,
  name: null,
};

/** What the SDK says it dropped goes into the ledger beside what arrived, but for what was counted when it was refused. */
function addDiscarded({ sequence, entry }: ArrivedItem, value: unknown, facts: Digested): void {
  const { projectId, receivedAt } = entry;
  for (const discarded of parseClientReport(value)?.discarded ?? []) {
    const refusedAs = refusedCategories(discarded);
    facts.outcomes.push({
      sequence,
      projectId,
      receivedAt,
      ...discarded,
      isFromClientReport: true,
      ...(refusedAs ? { refusedAs } : {}),
    });
  }
}

/** The lists that proxies add speak of what the proxy decided, not of what was answered to it. */
function refusedCategories(discarded: DiscardedItems): string[] | null {
  return discarded.outcome === "client_discard" ? refusedCategoriesOf(discarded) : null;
}

/** By the server's clock. One that is far off all the same says nothing: then the arrival counts (protocol 5.2). */
function toInstant(occurredAt: number | null, driftMs: number, receivedAt: number): number {
  if (occurredAt === null) return receivedAt;
  const instant = occurredAt + driftMs;
  return instant > receivedAt + MAX_FUTURE_MS || instant < receivedAt - MAX_AGE_MS ? receivedAt : instant;
}

function toTraceId(trace: unknown): string | null {
  const id = typeof trace === "object" && trace !== null ? (trace as { trace_id?: unknown }).trace_id : null;
  return normalizeEventId(id);
}

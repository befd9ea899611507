import type { DataCategory } from "../domain/data-category.ts";
import type { ProjectKey } from "../domain/project.ts";
import { type Journal, JournalUnavailableError } from "../journal/journal.ts";
import { type EnvelopeEntry, encodeJournalEntry } from "../journal/journal-entry.ts";
import type { Journals } from "../journal/journals.ts";
import { normalizeEventId } from "../protocol/event-id.ts";
import type { EnvelopeItem, ParsedEnvelope } from "../protocol/parse-envelope.ts";
import { formatRateLimits, LIMITABLE_CATEGORIES, type RateLimit, retryAfterSeconds } from "../protocol/rate-limits.ts";
import { isLossReported, keepsRefusedReports } from "../protocol/reported-loss.ts";
import { findSignal } from "../signals/registry.ts";
import { itemQuantity } from "../signals/signal.ts";
import { type Admission, admitItems, type DroppedItems, type TakeQuota } from "./admit-items.ts";
import { acceptedAnswer, type IngestAnswer, refusedAnswer } from "./answers.ts";
import { chooseJournal } from "./choose-journal.ts";
import type { IngestLog } from "./ingest-log.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { journalFailure } from "./journal-failure.ts";
import type { OutcomeCounter } from "./outcome-counter.ts";
import { readPayloadEventId } from "./payload-event-id.ts";
import { reframeEnvelope } from "./reframe-envelope.ts";
import { Refusal, type RefusalCode } from "./refusal.ts";

/** The facts about a request that may be accepted, known before its body is read. */
export interface EnvelopeSource {
  key: ProjectKey;
  /** Milliseconds since 1970. */
  receivedAt: number;
  client: string | null;
  /** True if it was sent as an envelope. All SDKs that write client reports send envelopes. */
  isEnvelope: boolean;
  clientAddress: string | null;
  userAgent: string | null;
  clientHints?: Record<string, string>;
}

/** The project and sender under which a refusal is counted. */
export interface RefusalTarget {
  projectId: number;
  category: DataCategory;
  /** The SDK that sent an envelope. Null: it does not name itself. Absent: the request is no envelope. */
  envelopeClient?: string | null;
}

export interface EnvelopeAcceptor {
  /** Admits, journals and answers. Never rejects. */
  accept(bytes: Uint8Array, envelope: ParsedEnvelope, source: EnvelopeSource): Promise<IngestAnswer>;
  /** Counts a refused request, and returns its answer. If the project is known, the ledger counts it, too. */
  refuse(refusal: Refusal, target: RefusalTarget | null, quantity?: number): IngestAnswer;
  /** Counts items that were left out of requests whose other items were accepted. */
  countDropped(projectId: number, receivedAt: number, dropped: readonly DroppedItems[]): void;
}

export interface EnvelopeAcceptorOptions {
  journals: Record<keyof Journals, Pick<Journal, "append">>;
  outcomes: Pick<OutcomeCounter, "count" | "settle">;
  /** The present limits for items with this key. */
  limitsOf: (key: ProjectKey, nowMs: number) => TakeQuota;
  metrics: IngestMetrics;
  /** Called for each event as soon as it is durable, with the sequence of its record. */
  onAccepted?: (eventId: string, sequence: number, projectId: number) => void;
  log: IngestLog;
  now: () => number;
  /** 32 lower-case hex characters. */
  randomId: () => string;
}

export function createEnvelopeAcceptor(options: EnvelopeAcceptorOptions): EnvelopeAcceptor {
  const { journals, outcomes, limitsOf, metrics, onAccepted, log, now, randomId } = options;

  function refuse(refusal: Refusal, target: RefusalTarget | null, quantity = 1): IngestAnswer {
    metrics.refused(refusal.reason, quantity);
    if (target !== null && refusal.outcome !== null) {
      const { projectId, category, envelopeClient } = target;
      outcomes.count({
        projectId,
        category,
        outcome: refusal.outcome,
        reason: refusal.reason,
        quantity,
        receivedAt: now(),
        ...reportabilityOf(envelopeClient, refusal),
      });
    }
    return refusedAnswer(refusal, rateLimitsOf(refusal));
  }

  function countDropped(projectId: number, receivedAt: number, dropped: readonly DroppedItems[]): void {
    for (const items of dropped) outcomes.count({ projectId, receivedAt, ...items });
  }

  /** Counts the items of an envelope that is dropped whole. */
  function countRefused(source: EnvelopeSource, dropped: readonly DroppedItems[], refusal: Refusal): void {
    const { key, receivedAt } = source;
    const reportability = reportabilityOf(clientOf(source), refusal);
    for (const items of dropped) outcomes.count({ projectId: key.projectId, receivedAt, ...items, ...reportability });
  }

  async function accept(bytes: Uint8Array, envelope: ParsedEnvelope, source: EnvelopeSource): Promise<IngestAnswer> {
    const { key, receivedAt } = source;
    const statedId = normalizeEventId(envelope.header.event_id);
    if (envelope.items.length === 0) return acceptedAnswer(statedId);

    const admission = admitItems(envelope.items, limitsOf(key, receivedAt));
    const { oversizeEvent, limits } = admission;
    const { kept, dropped } =
      oversizeEvent !== null && keepsRefusedReports(source.client) ? withoutReports(admission) : admission;
    for (const items of dropped) metrics.refused(items.reason, items.quantity);
    const partial = oversizeEvent !== null ? new Refusal("event_too_large", oversizeEvent) : null;

    if (kept.length === 0) {
      const refusal = partial ?? nothingLeft(dropped, limits);
      countRefused(source, dropped, refusal);
      return refusedAnswer(refusal, rateLimitsOf(refusal));
    }

    const eventId = statedId ?? readPayloadEventId(kept) ?? (kept.some(hasEventId) ? randomId() : null);
    if (kept.some(isClientReport)) await outcomes.settle(key.projectId);
    const reportability = partial === null ? {} : reportabilityOf(clientOf(source), partial);
    const entry: EnvelopeEntry = {
      kind: "envelope",
      projectId: key.projectId,
      keyId: key.id,
      receivedAt,
      eventId,
      clientAddress: source.clientAddress,
      userAgent: source.userAgent,
      ...(source.clientHints ? { clientHints: source.clientHints } : {}),
      client: source.client,
      dropped: dropped.map((items) => ({ projectId: key.projectId, receivedAt, ...items, ...reportability })),
      ...reportability,
      body: kept === envelope.items ? bytes : reframeEnvelope(bytes, envelope, kept),
    };
    let sequence: number;
    try {
      sequence = await journals[chooseJournal(kept, entry)].append(encodeJournalEntry(entry));
    } catch (error) {
      const refusal = journalFailure(error);
      // The journal itself logs once that it refuses.
      if (!(error instanceof JournalUnavailableError))
        log.error({ err: error }, "the journal did not take an envelope");
      const lost = sumByCategory(kept, refusal.code);
      for (const items of lost) metrics.refused(items.reason, items.quantity);
      countRefused(source, [...dropped, ...lost], refusal);
      return refusedAnswer(refusal, rateLimitsOf(refusal));
    }
    // The envelope now survives the death of this process: the 200 below may be sent.
    metrics.accepted(countItems(kept));
    if (eventId !== null) onAccepted?.(eventId, sequence, key.projectId);
    if (partial !== null) return refusedAnswer(partial);
    const answer = acceptedAnswer(eventId);
    if (limits.length === 0) return answer;
    return { ...answer, retryAfterSeconds: retryAfterSeconds(limits), rateLimits: formatRateLimits(limits) };
  }

  return { accept, refuse, countDropped };
}

/** Whether the SDK may report the items of this request, kept or not, as lost if it gets this answer. */
function reportabilityOf(
  envelopeClient: RefusalTarget["envelopeClient"],
  { status }: Refusal,
): Pick<EnvelopeEntry, "canBeReported"> {
  return envelopeClient !== undefined && isLossReported(status, envelopeClient) ? { canBeReported: true } : {};
}

function clientOf({ isEnvelope, client }: EnvelopeSource): RefusalTarget["envelopeClient"] {
  return isEnvelope ? client : undefined;
}

/** The admission without the client reports. The SDK was told that they are refused with the event, so the server must not count them. */
function withoutReports({ kept, dropped }: Admission): Pick<Admission, "kept" | "dropped"> {
  const reports = kept.filter(isClientReport);
  if (reports.length === 0) return { kept, dropped };
  const left = { category: "internal", outcome: "too_large", reason: "event_bytes", quantity: reports.length } as const;
  return { kept: kept.filter((item) => !isClientReport(item)), dropped: [...dropped, left] };
}

/** The refusal of an envelope without a single item that may pass. Its items are counted one by one. */
function nothingLeft(dropped: readonly DroppedItems[], limits: readonly RateLimit[]): Refusal {
  const [first] = limits;
  if (first !== undefined) {
    const details = { retryAfterSeconds: retryAfterSeconds(limits), limits, reason: first.reasonCode };
    return first.scope === "key"
      ? new Refusal("key_quota", "the rate limit of this client key is reached", details)
      : new Refusal("quota", `a quota of the ${first.scope === "project" ? "project" : "server"} is used up`, details);
  }
  return new Refusal("items_too_large", "every item is beyond a limit", {
    causes: dropped.map((items) => items.reason),
  });
}

/**
 * The header `X-Sentry-Rate-Limits` of a refusal. Only for refusals that depend on the data that was sent, not on the state of the server.
 */
function rateLimitsOf(refusal: Refusal): string | null {
  if (refusal.status !== 429) return null;
  if (refusal.limits !== null) return formatRateLimits(refusal.limits);
  const seconds = refusal.retryAfterSeconds ?? 0;
  return formatRateLimits([
    { seconds, categories: LIMITABLE_CATEGORIES, scope: "organization", reasonCode: refusal.code },
  ]);
}

function hasEventId(item: EnvelopeItem): boolean {
  return findSignal(item.header).hasEventId;
}

function isClientReport({ header }: EnvelopeItem): boolean {
  return header.type === "client_report";
}

function countItems(items: readonly EnvelopeItem[]): number {
  let count = 0;
  for (const item of items) count += itemQuantity(findSignal(item.header), item.header, item.payload.length);
  return count;
}

function sumByCategory(items: readonly EnvelopeItem[], reason: RefusalCode): DroppedItems[] {
  return items.map((item) => {
    const type = findSignal(item.header);
    return {
      category: type.category,
      outcome: "rate_limited",
      reason,
      quantity: itemQuantity(type, item.header, item.payload.length),
    };
  });
}

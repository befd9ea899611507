import { createHash } from "node:crypto";
import type { SentryEvent } from "../../domain/event.ts";
import type { StoredEvent } from "../../domain/stored-event.ts";
import type { WantedMap } from "../../domain/symbolication.ts";
import { groupEvent } from "../../grouping/group-event.ts";
import { isMovingOver } from "../../grouping/grouping-moves.ts";
import { normalizeEvent } from "../../normalize/normalize-event.ts";
import { type ParsedJson, parseJson } from "../../protocol/parse-json.ts";
import { MAX_REPORTS_PER_REQUEST, splitSecurityReports, toSecurityEvents } from "../../protocol/security-report.ts";
import { scrubEvent } from "../../scrub/scrub-event.ts";
import { scrubText } from "../../scrub/scrub-text.ts";
import { EVENTS } from "../../stores/events/event-table.ts";
import { toNewRow } from "../../stores/events/rows.ts";
import type { Digested, DigestedItem, SequencedOutcome } from "../digested.ts";
import { type ArrivedItem, type MappedEvent, malformed, type ReadContext, toOutcomeBase } from "../signal.ts";
import { toJsonReason } from "../stored-item.ts";
import { addMinidump } from "./add-minidump.ts";
import { filterEvent } from "./filter-event.ts";
import { EVENT_TEXTS } from "./text-slab.ts";
import { toUserKey, toUserName } from "./user-key.ts";

type ReadJson = Extract<ParsedJson, { ok: true }>;

/** An error or message: normalised, mapped to its sources, scrubbed, grouped. */
export function readError(item: ArrivedItem, context: ReadContext): Digested | Promise<Digested> {
  const parsed = parseJson(item.payload);
  if (!parsed.ok) return malformed(item, toJsonReason(parsed.reason));
  if (typeof parsed.value !== "object" || parsed.value === null || Array.isArray(parsed.value))
    return malformed(item, "not_an_object");
  const kind = (parsed.value as { type?: unknown }).type;
  // Older SDKs send these as events. The type in the payload decides.
  if (kind === "transaction" || kind === "feedback") return context.readAs(item, kind);
  const { minidump } = item;
  const value = minidump === undefined ? parsed.value : addMinidump(parsed.value as Record<string, unknown>, minidump);
  return digestEvent({ ...parsed, value }, requireEventId(item), item, context);
}

/** Makes an event of each report of the item. Invalid reports, and reports beyond the limit, are counted. */
export function readSecurityReports(item: ArrivedItem, context: ReadContext): Digested | Promise<Digested> {
  const parsed = parseJson(item.payload);
  if (!parsed.ok) return malformed(item, toJsonReason(parsed.reason));
  if (typeof parsed.value !== "object" || parsed.value === null) return malformed(item, "not_an_object");
  const { header, entry } = item;
  const reportCount = splitSecurityReports(parsed.value).length;
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  const events = toSecurityEvents(parsed.value, {
    userAgent: entry.userAgent,
    clientAddress: entry.clientAddress,
    release: text(header.sentry_release),
    environment: text(header.sentry_environment),
    receivedAt: entry.receivedAt,
  });
  const outcomes: SequencedOutcome[] = [];
  const lost = toOutcomeBase(item);
  const beyondCount = Math.max(0, reportCount - MAX_REPORTS_PER_REQUEST);
  if (beyondCount > 0)
    outcomes.push({ ...lost, outcome: "too_large", reason: "security_count", quantity: beyondCount });
  // An empty list counts as one invalid item.
  const unknownCount = Math.max(1, reportCount) - beyondCount - events.length;
  if (unknownCount > 0)
    outcomes.push({ ...lost, outcome: "malformed", reason: "unknown_security_report", quantity: unknownCount });
  const digested = events.map((event, index) => {
    const eventId = index === 0 ? requireEventId(item) : deriveEventId(item, index);
    return digestEvent({ ...parsed, value: event }, eventId, item, context);
  });
  return digested.some((each) => each instanceof Promise)
    ? Promise.all(digested).then((parts) => joinReports(parts, outcomes))
    : joinReports(digested as Digested[], outcomes);
}

function joinReports(parts: readonly Digested[], outcomes: readonly SequencedOutcome[]): Digested {
  const filtered = parts.flatMap((part) => part.filtered ?? []);
  return {
    items: parts.flatMap(({ items }) => items),
    outcomes: [...parts.flatMap((part) => part.outcomes), ...outcomes],
    setAside: [],
    ...(filtered.length > 0 ? { filtered } : {}),
  };
}

function digestEvent(
  { value, repairs }: ReadJson,
  eventId: string,
  item: ArrivedItem,
  context: ReadContext,
): Digested | Promise<Digested> {
  const { entry, envelopeHeader } = item;
  const event = normalizeEvent(value, {
    eventId,
    receivedAt: entry.receivedAt,
    sentAt: envelopeHeader.sent_at,
    clientAddress: entry.clientAddress,
    userAgent: entry.userAgent,
    ...(entry.clientHints ? { clientHints: entry.clientHints } : {}),
    sdk: envelopeHeader.sdk,
    trace: envelopeHeader.trace,
    repairs,
  });
  const filtered = entry.isFinding ? null : filterEvent(event, { item, eventId }, context.rules);
  if (filtered !== null) return filtered;
  const { mapToSources } = context;
  const mapped = mapToSources === null ? { event, wanted: [] } : mapToSources(event, entry.projectId);
  const finish = (result: MappedEvent): Digested => ({
    items: [finishEvent(item, eventId, result, context)],
    outcomes: [],
    setAside: [],
  });
  return mapped instanceof Promise ? mapped.then(finish) : finish(mapped);
}

/**
 * Scrubs the event after mapping, not before. Maps are found by whole paths, which scrubbing may cut. And the texts that maps add (paths,
 * problems with their URLs, lines of source) must pass the same rules as the sent texts.
 */
function finishEvent(
  item: ArrivedItem,
  eventId: string,
  { event: mapped, wanted, isLate }: MappedEvent,
  { groupingMoves, groupingRules, scrubRulesOf }: ReadContext,
): DigestedItem {
  const { entry, sequence } = item;
  const isMoving = isMovingOver(groupingMoves, entry.projectId, entry.receivedAt);
  // The issue of a finding is found again by its fingerprint, which no rule may change.
  const rules = entry.isFinding ? null : (groupingRules.get(entry.projectId) ?? null);
  const category = entry.isFinding ? "finding" : item.signal.category;
  const grouping = groupEvent(scrubEvent(mapped, scrubRulesOf(entry.projectId)), isMoving, rules);
  const { event, hashes, earlier, kin, explanation, title, type, value, culprit, isUnhandled } = grouping;
  const stored: StoredEvent = { event, grouping: explanation };
  const payload = EVENT_TEXTS.encode(JSON.stringify(stored));
  const occurredAt = Math.round(event.timestamp * 1000);
  const environment = event.environment ?? null;
  const release = event.release ?? null;
  const userKey = toUserKey(event.user);
  const { projectId, receivedAt } = entry;
  return {
    sequence,
    projectId,
    receivedAt,
    identity: eventId,
    dependsOnEvent: false,
    hasDependents: true,
    outcome: { ...toOutcomeBase(item), category, outcome: "accepted", reason: "", quantity: 1 },
    payload,
    occurrence: {
      sequence,
      projectId,
      eventId,
      hashes,
      ...(earlier === null ? {} : { earlier }),
      kin,
      grouping: explanation,
      occurredAt,
      receivedAt,
      title,
      type,
      value,
      culprit,
      level: event.level,
      platform: event.platform,
      logger: event.logger ?? null,
      isUnhandled,
      environment,
      release,
      userKey,
      ...(wanted.length > 0 ? { missingSourceMaps: wanted.map(withoutSecrets) } : {}),
      ...(isLate ? { isMappedLate: true } : {}),
    },
    environment,
    rows: [
      toNewRow(EVENTS, {
        sequence,
        projectId,
        eventId,
        occurredAt,
        receivedAt,
        level: event.level,
        platform: event.platform,
        environment,
        release,
        dist: event.dist ?? null,
        transaction: event.transaction ?? null,
        title,
        userKey,
        userName: toUserName(event.user, userKey),
        traceId: contextText(event, "trace", "trace_id"),
        spanId: contextText(event, "trace", "span_id"),
        replayId: contextText(event, "replay", "replay_id"),
        sdkName: event.sdk?.name ?? null,
        isUnhandled,
        tags: event.tags ?? [],
        payloadBytes: payload.length,
        category,
      }),
    ],
  };
}

/** The example of a path is kept beside the event, and may have been taken before the event was scrubbed. */
export function withoutSecrets(wanted: WantedMap): WantedMap {
  const path = wanted.sampleUrl.replace(/[?#].*$/s, "");
  return { ...wanted, sampleUrl: scrubText(path)?.text ?? path };
}

function contextText(event: SentryEvent, context: string, field: string): string | null {
  const value = event.contexts?.[context]?.[field];
  return typeof value === "string" && value !== "" ? value : null;
}

/** The id that the sender was told. Ingest always gives one if the envelope has an event. If it is missing, one is derived. */
function requireEventId(item: ArrivedItem): string {
  return item.entry.eventId ?? deriveEventId(item, 0);
}

/** Derives an id that is the same for every reading of the record, so that a replay adds nothing. */
function deriveEventId({ sequence, itemIndex, entry }: ArrivedItem, index: number): string {
  return createHash("md5")
    .update(`${entry.eventId ?? ""} ${entry.projectId} ${entry.receivedAt} ${sequence} ${itemIndex} ${index}`)
    .digest("hex");
}

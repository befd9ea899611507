import { createHash } from "node:crypto";
import type { SentryEvent } from "../domain/event.ts";
import type { StoredEvent } from "../domain/stored-event.ts";
import type { WantedMap } from "../domain/symbolication.ts";
import { type ParsedJson, parseJson } from "../protocol/parse-json.ts";
import { MAX_REPORTS_PER_REQUEST, splitSecurityReports, toSecurityEvents } from "../protocol/security-report.ts";
import { hasMappableFrames } from "../symbolicate/collect-frames.ts";
import { symbolicateWithoutUploads } from "../symbolicate/wanted-maps.ts";
import { digestOtherItem } from "./digest-other-item.ts";
import { type ArrivedItem, toOutcomeBase } from "./digest-records.ts";
import type { Digested, DigestedEvent, UnmappedEvent } from "./digested.ts";
import { groupEvent } from "./grouping/group-event.ts";
import { normalizeEvent } from "./normalize/normalize-event.ts";
import { scrubEvent } from "./scrub/scrub-event.ts";
import { scrubText } from "./scrub/scrub-text.ts";
import { toUserKey } from "./user-key.ts";

/** Errors, messages and security reports: normalised, mapped to their sources, scrubbed, grouped. */
export function digestEventItem(arrived: ArrivedItem, facts: Digested): void {
  const { header, payload, entry } = arrived;
  const isReport = header.type === "raw_security";
  const category = isReport || header.type === "security" ? "security" : "error";
  const parsed = parseJson(payload);
  if (
    !parsed.ok ||
    typeof parsed.value !== "object" ||
    parsed.value === null ||
    Array.isArray(parsed.value) !== Array.isArray(isReport ? parsed.value : {})
  ) {
    const reason = parsed.ok ? "not_an_object" : `json_${parsed.reason.replaceAll(" ", "_").toLowerCase()}`;
    facts.outcomes.push({ ...toOutcomeBase(arrived), category, outcome: "malformed", reason, quantity: 1 });
    return;
  }
  const kind = isReport ? undefined : (parsed.value as { type?: unknown }).type;
  if (kind === "transaction" || kind === "feedback") {
    // Older SDKs send these as events: what the payload says it is counts.
    digestOtherItem({ ...arrived, header: { ...header, type: kind } }, facts);
    return;
  }
  if (!isReport) {
    addEvent(parsed, requireEventId(entry.eventId, arrived), category, arrived, facts);
    return;
  }
  digestReports(parsed, arrived, facts);
}

/** Each report of an item is an event; what is none, or is too much, is counted. */
function digestReports(parsed: ReadJson, arrived: ArrivedItem, facts: Digested): void {
  const { header, entry } = arrived;
  const reportCount = splitSecurityReports(parsed.value).length;
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  const events = toSecurityEvents(parsed.value, {
    userAgent: entry.userAgent,
    clientAddress: entry.clientAddress,
    release: text(header.sentry_release),
    environment: text(header.sentry_environment),
    receivedAt: entry.receivedAt,
  });
  const lost = { ...toOutcomeBase(arrived), category: "security" } as const;
  const beyondCount = Math.max(0, reportCount - MAX_REPORTS_PER_REQUEST);
  if (beyondCount > 0)
    facts.outcomes.push({ ...lost, outcome: "too_large", reason: "security_count", quantity: beyondCount });
  // An empty list is one item that says nothing.
  const unknownCount = Math.max(1, reportCount) - beyondCount - events.length;
  if (unknownCount > 0)
    facts.outcomes.push({ ...lost, outcome: "malformed", reason: "unknown_security_report", quantity: unknownCount });
  events.forEach((event, index) => {
    const eventId = index === 0 ? requireEventId(entry.eventId, arrived) : deriveEventId(entry.eventId, arrived, index);
    addEvent({ ...parsed, value: event }, eventId, "security", arrived, facts);
  });
}

type ReadJson = Extract<ParsedJson, { ok: true }>;

function addEvent(
  { value, repairs }: ReadJson,
  eventId: string,
  category: string,
  arrived: ArrivedItem,
  facts: Digested,
): void {
  const { entry, envelopeHeader, hasUploads } = arrived;
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
  const unmapped: UnmappedEvent = { arrived, event, eventId, category, place: facts.events.length };
  if (hasUploads === undefined) facts.events.push(finishEvent(unmapped));
  else if (!hasUploads(entry.projectId)) facts.events.push(finishEvent(unmapped, symbolicateWithoutUploads(event)));
  else if (hasMappableFrames(event)) facts.unmapped.push(unmapped);
  else facts.events.push(finishEvent(unmapped));
}

/** What source maps gave for an event. */
export interface MappedEvent {
  event: SentryEvent;
  /** What a later upload could mend. */
  wanted: WantedMap[];
  isLate?: boolean;
}

/**
 * Scrubbed after mapping, not before: maps are found by whole paths, which may be cut by scrubbing, and what maps bring (paths,
 * problems with their URLs, lines of source) passes through the same rules as what was sent.
 */
export function finishEvent(
  { arrived, event: unmapped, eventId, category }: UnmappedEvent,
  { event: mapped, wanted, isLate }: MappedEvent = { event: unmapped, wanted: [] },
): DigestedEvent {
  const { entry, sequence } = arrived;
  const event = scrubEvent(mapped);
  const { hashes, kin, explanation, title, type, value, culprit, isUnhandled } = groupEvent(event);
  const stored: StoredEvent = { event, grouping: explanation };
  const payload = Buffer.from(JSON.stringify(stored), "utf8");
  const occurredAt = Math.round(event.timestamp * 1000);
  const environment = event.environment ?? null;
  const release = event.release ?? null;
  const userKey = toUserKey(event.user);
  const { projectId } = entry;
  return {
    payload,
    category,
    ...(entry.canBeReported ? { canBeReported: true } : {}),
    occurrence: {
      sequence,
      projectId,
      eventId,
      hashes,
      kin,
      grouping: explanation,
      occurredAt,
      receivedAt: entry.receivedAt,
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
      ...(wanted.length > 0 ? { wantedSourceMaps: wanted.map(withoutSecrets) } : {}),
      ...(isLate ? { isMappedLate: true } : {}),
    },
    row: {
      sequence,
      projectId,
      eventId,
      occurredAt,
      receivedAt: entry.receivedAt,
      level: event.level,
      platform: event.platform,
      environment,
      release,
      dist: event.dist ?? null,
      transaction: event.transaction ?? null,
      title,
      userKey,
      traceId: contextText(event, "trace", "trace_id"),
      spanId: contextText(event, "trace", "span_id"),
      replayId: contextText(event, "replay", "replay_id"),
      sdkName: event.sdk?.name ?? null,
      isUnhandled,
      tags: event.tags ?? [],
      payloadBytes: payload.length,
    },
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

/** The id that the sender was told. Ingest always gives one where the envelope has an event; if not, one is derived. */
function requireEventId(eventId: string | null, arrived: ArrivedItem): string {
  return eventId ?? deriveEventId(eventId, arrived, 0);
}

/** The same for every reading of the record, so that a replay adds nothing. */
function deriveEventId(eventId: string | null, { sequence, itemIndex, entry }: ArrivedItem, index: number): string {
  return createHash("md5")
    .update(`${eventId ?? ""} ${entry.projectId} ${entry.receivedAt} ${sequence} ${itemIndex} ${index}`)
    .digest("hex");
}

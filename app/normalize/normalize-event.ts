import type { EventError, SentryEvent } from "../domain/event.ts";
import { isRecord } from "../domain/is-record.ts";
import { normalizeEventId } from "../protocol/event-id.ts";
import type { JsonRepair } from "../protocol/parse-json.ts";
import type { JsonObject } from "./json-object.ts";
import { toLenientString } from "./lenient-string.ts";
import { MetaRecorder, parseClientMeta } from "./meta.ts";
import { normalizeBreadcrumbs } from "./normalize-breadcrumbs.ts";
import { addTraceContexts, addUserAgentContexts, normalizeContexts } from "./normalize-contexts.ts";
import { normalizeDebugMeta } from "./normalize-debug-meta.ts";
import { normalizeExceptions } from "./normalize-exception.ts";
import { normalizeExtra, normalizeModules, trimEach } from "./normalize-extra.ts";
import { normalizeFingerprint } from "./normalize-fingerprint.ts";
import { parseLevel } from "./normalize-level.ts";
import { normalizeLogentry } from "./normalize-logentry.ts";
import { normalizeRequest } from "./normalize-request.ts";
import { normalizeSdk } from "./normalize-sdk.ts";
import { normalizeStacktrace } from "./normalize-stacktrace.ts";
import { addServerTags, normalizeTags, noteReservedTags } from "./normalize-tags.ts";
import { normalizeTemplate } from "./normalize-template.ts";
import { completeStacktraces, normalizeThreads } from "./normalize-threads.ts";
import { normalizeTimestamps } from "./normalize-timestamps.ts";
import {
  normalizeMeasurements,
  normalizeSpans,
  normalizeTransactionInfo,
  normalizeTransactionName,
} from "./normalize-transaction.ts";
import { normalizeUser } from "./normalize-user.ts";
import { parsePlatform } from "./parse-platform.ts";
import { createCodeContext } from "./place-in-image.ts";
import { normalizeDist, normalizeEnvironment, normalizeRelease } from "./release-environment.ts";
import { LIMITS, TREE_LIMITS, toTrimmedObject, trimText } from "./trimming.ts";

/** Facts about the request that brought the event. */
export interface NormalizeContext {
  /** The id that the sender was told: wins over the payload's. */
  eventId: string;
  /** Milliseconds since 1970. */
  receivedAt: number;
  /** `sent_at` of the envelope header, as it came. */
  sentAt: unknown;
  clientAddress: string | null;
  userAgent: string | null;
  clientHints?: Record<string, string>;
  /** `sdk` of the envelope header, as it came; fills a missing `sdk` of the event. */
  sdk: unknown;
  /** `trace` of the envelope header, as it came. */
  trace: unknown;
  /** Repairs of the JSON that were necessary to parse it. */
  repairs?: readonly JsonRepair[];
}

/** Old SDKs name the parts of an event after the classes that handled them. */
const ALIASES = new Map([
  ["sentry.interfaces.Exception", "exception"],
  ["sentry.interfaces.Message", "logentry"],
  ["sentry.interfaces.Breadcrumbs", "breadcrumbs"],
  ["sentry.interfaces.Http", "request"],
  ["sentry.interfaces.User", "user"],
  ["sentry.interfaces.Contexts", "contexts"],
  ["sentry.interfaces.Template", "template"],
  ["sentry.interfaces.Stacktrace", "stacktrace"],
  ["sentry.interfaces.Csp", "csp"],
  ["sentry.interfaces.Hpkp", "hpkp"],
  ["sentry.interfaces.ExpectCT", "expectct"],
  ["sentry.interfaces.ExpectStaple", "expectstaple"],
]);

/** Fields that servers decide, or that nobody needs. They are dropped. */
const IGNORED = "version time_spent ingest_path grouping_config _metrics project key_id".split(" ");
/** Fields with code of their own. All other fields that a client sends are kept as they are, within limits. */
const KNOWN = new Set([
  ...(
    "event_id type timestamp start_timestamp received platform level logger logentry message transaction culprit " +
    "transaction_info server_name site release dist environment tags extra modules fingerprint checksum exception threads " +
    "stacktrace breadcrumbs request user contexts template csp hpkp expectct expectstaple debug_meta sdk errors " +
    "spans measurements breakdowns _meta"
  )
    .split(" ")
    .concat(IGNORED),
]);

const REPORT_TYPES = ["csp", "hpkp", "expectct", "expectstaple"] as const;
/** Types that are taken at their word; the others follow from what the event holds. */
const STATED_TYPES = new Set(["transaction", "feedback", "nel", "generic", ...REPORT_TYPES]);
const MAX_ERRORS = 100;

/**
 * Normalises an event: every field gets the type of the contract, trimmed to its limit, and the server's clock, tags and view of the sender
 * are added. Never throws, whatever it is given: unusable values are left out, with the reason in `_meta`. The given value is consumed: the
 * result is made of its parts.
 */
export function normalizeEvent(raw: unknown, context: NormalizeContext): SentryEvent {
  const isObject = isRecord(raw);
  const source: JsonObject = isObject ? raw : {};
  const meta = new MetaRecorder(source._meta === undefined ? null : parseClientMeta(source._meta));
  if (!isObject) meta.invalid(null, "expected an object", raw);
  const unknown = takeUnknown(source, meta);

  const errors = normalizeErrors(source.errors);
  for (const repair of context.repairs ?? []) errors.push(...toErrors(repair));
  if (source.event_id !== undefined && source.event_id !== null && normalizeEventId(source.event_id) === null) {
    meta.invalid("event_id", "expected 32 characters of hex", source.event_id);
  }
  const times = normalizeTimestamps(source, context, errors, meta);
  const { platform, isKnown } = parsePlatform(source.platform);
  if (!isKnown) meta.invalid("platform", "expected a known platform", source.platform);

  const debugMeta = normalizeDebugMeta(source.debug_meta, meta);
  const code = createCodeContext(platform, debugMeta?.images);
  const exceptions = normalizeExceptions(source.exception, code, meta);
  const threads = normalizeThreads(source.threads, code, meta);
  const stacktrace = completeStacktraces(
    exceptions,
    threads,
    normalizeStacktrace(source.stacktrace, code, meta, "stacktrace"),
  );
  const reports = normalizeReports(source, meta);
  const type = decideType(source.type, exceptions !== null, reports);
  const isTransaction = type === "transaction";
  const isMessageless = isTransaction || type === "feedback";
  const transactionInfo = normalizeTransactionInfo(source.transaction_info, isTransaction, meta);

  const request = normalizeRequest(source.request, meta);
  const sdk = normalizeSdk(source.sdk, context.sdk, meta);
  const user = normalizeUser(
    source.user,
    request,
    { clientAddress: context.clientAddress, platform, inferIp: sdk?.settings?.infer_ip },
    meta,
  );
  const contexts = addUserAgentContexts(
    addTraceContexts(normalizeContexts(source.contexts, meta), context.trace),
    request,
    {
      platform,
      userAgent: context.userAgent,
      clientHints: context.clientHints ?? null,
      isFromBrowser: platform === "javascript" || reports !== null || type === "nel",
    },
  );
  const { tags, environment, reserved } = normalizeTags(source.tags, meta);

  const event: SentryEvent = {
    event_id: context.eventId,
    type,
    timestamp: times.timestamp,
    start_timestamp: times.startTimestamp,
    received: times.received,
    platform,
    level: normalizeLevel(source.level, isMessageless ? "info" : "error", meta),
    logger: normalizeLine(source.logger, LIMITS.logger, meta, "logger"),
    logentry: normalizeLogentry(source.logentry, source.message, meta) ?? undefined,
    transaction: normalizeTransactionName(
      source.transaction || source.culprit,
      isTransaction,
      transactionInfo?.source,
      meta,
    ),
    transaction_info: transactionInfo ?? undefined,
    server_name: normalizeLine(source.server_name, LIMITS.serverName, meta, "server_name"),
    release: normalizeRelease(source.release, meta),
    dist: normalizeDist(source.dist, meta),
    environment: normalizeEnvironment(source.environment, meta) ?? normalizeEnvironment(environment, meta),
    tags: undefined,
    extra: normalizeExtra(source.extra, meta) ?? undefined,
    modules: normalizeModules(source.modules, meta) ?? undefined,
    fingerprint: normalizeFingerprint(source.fingerprint, meta),
    checksum: normalizeLine(source.checksum, LIMITS.tagValue, meta, "checksum"),
    exception: exceptions === null ? undefined : { values: exceptions },
    threads: threads === null ? undefined : { values: threads },
    stacktrace: stacktrace ?? undefined,
    breadcrumbs: undefined,
    request: request ?? undefined,
    user: user ?? undefined,
    contexts: contexts ?? undefined,
    template: normalizeTemplate(source.template, meta) ?? undefined,
    debug_meta: debugMeta ?? undefined,
    sdk: sdk ?? undefined,
    spans: normalizeSpans(source.spans, times.shift, meta),
    measurements: normalizeMeasurements(source.measurements, meta),
    errors: errors.length === 0 ? undefined : errors,
  };
  if (reports !== null) Object.assign(event, reports);
  if (unknown !== null) Object.assign(event, unknown);
  const breadcrumbs = normalizeBreadcrumbs(source.breadcrumbs, times.shift, meta);
  if (breadcrumbs !== null) event.breadcrumbs = { values: breadcrumbs };
  addServerTags(tags, event, normalizeLine(source.site, LIMITS.serverName, meta, "site"));
  if (reserved.length > 0) noteReservedTags(reserved, tags, meta);
  if (tags.length > 0) event.tags = tags;
  event._meta = meta.toTree();
  return event;
}

/** Returns the unknown fields, trimmed, and renames fields with an old name. Null when there are none. */
function takeUnknown(source: JsonObject, meta: MetaRecorder): JsonObject | null {
  let unknown: JsonObject | null = null;
  for (const key in source) {
    if (KNOWN.has(key) || key === "__proto__") continue;
    const name = ALIASES.get(key);
    if (name === undefined) {
      unknown ??= {};
      unknown[key] = source[key];
      continue;
    }
    source[name] ??= source[key];
    if (meta.hasNotes()) meta.relocate((path) => (path === key ? [name] : undefined));
  }
  if (source.breakdowns !== undefined && source.breakdowns !== null) {
    unknown ??= {};
    unknown.breakdowns = source.breakdowns;
  }
  return unknown === null ? null : trimEach(unknown, null, meta);
}

function decideType(stated: unknown, hasException: boolean, reports: Reports | null): SentryEvent["type"] {
  if (typeof stated === "string" && STATED_TYPES.has(stated)) return stated as SentryEvent["type"];
  if (hasException || stated === "error") return "error";
  return REPORT_TYPES.find((name) => reports?.[name] !== undefined) ?? "default";
}

type Reports = { [Name in (typeof REPORT_TYPES)[number] | "nel"]?: JsonObject };

function normalizeReports(source: JsonObject, meta: MetaRecorder): Reports | null {
  let reports: Reports | null = null;
  for (const name of REPORT_TYPES) {
    const value = source[name];
    if (value === undefined || value === null) continue;
    const report = toTrimmedObject(value, TREE_LIMITS.small, meta, name);
    if (report === null) continue;
    reports ??= {};
    reports[name] = report;
  }
  return reports;
}

/** The loss that a repair caused, or the change of words. Null: nothing was lost. */
const REPAIR_WORDS: Record<JsonRepair, string | null> = {
  "not-a-number": "NaN and Infinity became null",
  "control-character": null,
  nul: "NUL characters were removed",
  "lone-surrogate": "halves of surrogate pairs became U+FFFD",
  "invalid-utf8": "bytes that are no UTF-8 became U+FFFD",
  "large-number": null,
  "deep-nesting": "what nests too deeply became …",
  "prototype-key": "keys __proto__ were dropped",
};

function toErrors(repair: JsonRepair): EventError[] {
  const reason = REPAIR_WORDS[repair];
  return reason === null ? [] : [{ type: "invalid_json", reason }];
}

function normalizeErrors(value: unknown): EventError[] {
  if (!Array.isArray(value)) return [];
  const errors: EventError[] = [];
  const unheard = new MetaRecorder();
  for (const entry of value) {
    if (!isRecord(entry) || typeof entry.type !== "string" || errors.length === MAX_ERRORS) continue;
    const trimmed = toTrimmedObject(entry, TREE_LIMITS.unknown, unheard, "errors");
    if (typeof trimmed?.type !== "string") continue;
    // Its type was checked above; its other fields may be anything.
    errors.push(trimmed as EventError);
  }
  return errors;
}

function normalizeLevel(value: unknown, fallback: SentryEvent["level"], meta: MetaRecorder): SentryEvent["level"] {
  if (value === undefined || value === null || value === "") return fallback;
  const level = parseLevel(value);
  if (level === null) meta.invalid("level", "expected a level", value);
  return level ?? fallback;
}

/** Text in one line; absent when empty. */
function normalizeLine(value: unknown, maxLength: number, meta: MetaRecorder, key: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = toLenientString(value)?.trim();
  if (text === "") return undefined;
  if (text === undefined || /[\r\n]/.test(text)) {
    meta.invalid(key, "expected text in one line", value);
    return undefined;
  }
  return trimText(text, maxLength, meta, key);
}

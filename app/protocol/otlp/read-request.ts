import { isRecord } from "../../domain/is-record.ts";
import { glanceAtJson, parseJson } from "../parse-json.ts";
import { decodeMessage, MAX_VALUES, MalformedProtobufError } from "./decode-message.ts";
import { OTLP_GLANCES, OTLP_NAMES, OTLP_REQUESTS, type OtlpSignal } from "./messages.ts";

type Json = Record<string, unknown>;

/** Spans, or logs, that one request may hold; ours. Exporters send 512 at a time, collectors 8,192. */
export const MAX_OTLP_ITEMS = 10_000;

/**
 * Messages that a glance reads: spans, logs or data points with what holds them. Ours: the main thread reads them in some 50 ms, and a
 * few hundred packed bytes can hold them.
 */
export const MAX_GLANCED_MESSAGES = 100_000;
/** Objects and lists in JSON, which a glance reads whole: some 200 ms of the main thread. 16 MiB of real spans have about 400,000. */
export const MAX_JSON_OBJECTS = 500_000;

/** What came together: the resource and scope of some spans, logs or metrics. */
export interface OtlpGroup {
  /** Attributes of the resource, as they came. */
  resource: unknown;
  scope: Json;
  items: readonly Json[];
}

export type OtlpRequest = { ok: true; groups: OtlpGroup[] } | { ok: false; reason: string; detail: string };

export function isJsonMediaType(contentType: string): boolean {
  return /^application\/json\b/i.test(contentType.trim());
}

/** Whether it is a content type of OTLP over HTTP. */
export function isOtlpMediaType(contentType: string | undefined): boolean {
  return /^\s*application\/(json|x-protobuf|protobuf)\s*(;|$)/i.test(contentType ?? "");
}

/** Reads a request of either encoding. */
export function readOtlpRequest(bytes: Uint8Array, signal: OtlpSignal, contentType: string): OtlpRequest {
  if (!isJsonMediaType(contentType)) return fromProtobuf(bytes, signal, OTLP_REQUESTS);
  const parsed = parseJson(bytes);
  if (!parsed.ok) return malformedJson(parsed.reason);
  return fromJson(parsed.value, signal);
}

/** What can be told of a request without reading its attributes. */
export interface OtlpGlance {
  /** Spans, logs or data points, refused ones among them. */
  count: number;
  /** Those that will not be stored, by reason. */
  refused: ReadonlyMap<string, number>;
}

/** The counts that the digest of the same bytes will come to. */
export function glanceAtOtlp(
  bytes: Uint8Array,
  signal: OtlpSignal,
  contentType: string,
): { ok: true; glance: OtlpGlance } | Extract<OtlpRequest, { ok: false }> {
  const request = isJsonMediaType(contentType)
    ? glanceAtJsonRequest(bytes, signal)
    : fromProtobuf(bytes, signal, OTLP_GLANCES, MAX_GLANCED_MESSAGES);
  if (!request.ok) return request;
  const refused = new Map<string, number>();
  let count = 0;
  for (const { items } of request.groups) {
    if (signal === "metrics") {
      for (const item of items) count += countDataPoints(item);
      continue;
    }
    for (const item of items) {
      const reason = refuseOtlpItem(item, signal, count++);
      if (reason !== null) refused.set(reason, (refused.get(reason) ?? 0) + 1);
    }
  }
  return { ok: true, glance: { count, refused } };
}

/**
 * Why a span or a log is not stored, in the words of the ledger; null when it is.
 *
 * @param index its place in the request
 */
export function refuseOtlpItem(item: Json, signal: "traces" | "logs", index: number): string | null {
  if (index >= MAX_OTLP_ITEMS) return signal === "traces" ? "span_count" : "log_count";
  if (signal === "logs") return null;
  if (!isId(item.traceId, TRACE_ID)) return "missing_trace_id";
  if (!isId(item.spanId, SPAN_ID)) return "missing_span_id";
  const startedUs = toMicroseconds(item.startTimeUnixNano);
  const endedUs = toMicroseconds(item.endTimeUnixNano);
  if (startedUs === null || endedUs === null) return "missing_timestamp";
  return endedUs < startedUs ? "ends_before_start" : null;
}

export function countDataPoints(metric: Json): number {
  let count = 0;
  for (const key in metric) {
    const { dataPoints } = isRecord(metric[key]) ? metric[key] : {};
    if (Array.isArray(dataPoints)) count += dataPoints.length;
  }
  return count;
}

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/i;
const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/i;
/** The year 2255: from there on, microseconds are no longer exact. */
const MAX_MICROSECONDS = 9e15;

function isId(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && value.length <= 32 && pattern.test(value);
}

/** Nanoseconds, as a number or as text, to microseconds since 1970. Null for zero, which means unknown, and for an invalid time. */
export function toMicroseconds(nanoseconds: unknown): number | null {
  if (typeof nanoseconds === "number") return inRange(Math.floor(nanoseconds / 1000));
  if (typeof nanoseconds !== "string" || !/^\d{1,20}$/.test(nanoseconds)) return null;
  return inRange(Number(nanoseconds.slice(0, -3)));
}

function inRange(microseconds: number): number | null {
  return microseconds > 0 && microseconds <= MAX_MICROSECONDS ? microseconds : null;
}

function glanceAtJsonRequest(bytes: Uint8Array, signal: OtlpSignal): OtlpRequest {
  if (hasTooManyObjects(bytes))
    return {
      ok: false,
      reason: "too_many_objects",
      detail: `more than ${MAX_JSON_OBJECTS} objects and lists in a request`,
    };
  const value = glanceAtJson(bytes);
  return value === undefined ? malformedJson("invalid") : fromJson(value, signal);
}

/** Counts braces and brackets that open; those in texts count, too. */
function hasTooManyObjects(bytes: Uint8Array): boolean {
  let count = 0;
  for (let at = 0; at < bytes.length && count <= MAX_JSON_OBJECTS; at++)
    if (bytes[at] === 0x7b || bytes[at] === 0x5b) count++;
  return count > MAX_JSON_OBJECTS;
}

function malformedJson(reason: string): OtlpRequest {
  return {
    ok: false,
    reason: `json_${reason.replaceAll(" ", "_").toLowerCase()}`,
    detail: `the body is not valid JSON (${reason})`,
  };
}

function fromProtobuf(
  bytes: Uint8Array,
  signal: OtlpSignal,
  types: typeof OTLP_REQUESTS,
  maxMessages = MAX_VALUES,
): OtlpRequest {
  try {
    return fromJson(decodeMessage(bytes, types[signal], maxMessages), signal);
  } catch (error) {
    if (!(error instanceof MalformedProtobufError)) throw error;
    return { ok: false, reason: "invalid_protobuf", detail: error.message };
  }
}

/** A list of another type counts as empty. An entry of another type counts as an empty object. */
function fromJson(value: unknown, signal: OtlpSignal): OtlpRequest {
  if (!isRecord(value)) return { ok: false, reason: "not_an_object", detail: "the body is not an object" };
  const [resources, scopes, items] = OTLP_NAMES[signal];
  const groups = records(value[resources]).flatMap((each) => {
    const resource = isRecord(each.resource) ? each.resource.attributes : undefined;
    return records(each[scopes]).map((scope) => ({
      resource,
      scope: isRecord(scope.scope) ? scope.scope : {},
      items: records(scope[items]),
    }));
  });
  return { ok: true, groups };
}

function records(value: unknown): Json[] {
  return Array.isArray(value) ? value.map((each) => (isRecord(each) ? each : {})) : [];
}

import { isRecord } from "../../domain/is-record.ts";
import { glanceAtJson, parseJson } from "../parse-json.ts";
import { decodeMessage, MAX_VALUES, MalformedProtobufError } from "./decode-message.ts";
import { type MessageType, OTLP_GLANCES, OTLP_NAMES, OTLP_REQUESTS, type OtlpSignal } from "./messages.ts";

type Json = Record<string, unknown>;

/** Spans, or logs, that one request may hold; ours. Exporters send 512 at a time, collectors 8,192. */
const MAX_OTLP_ITEMS = 10_000;

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

/** `reason` is a word of the ledger, `detail` a sentence for the sender. */
export interface OtlpRefusal {
  ok: false;
  reason: string;
  detail: string;
}

export type OtlpRequest = { ok: true; groups: OtlpGroup[] } | OtlpRefusal;

export function isJsonMediaType(contentType: string): boolean {
  return /^application\/json\b/i.test(contentType.trim());
}

/** Whether it is a content type of OTLP over HTTP. */
export function isOtlpMediaType(contentType: string | undefined): boolean {
  return /^\s*application\/(json|x-protobuf|protobuf)\s*(;|$)/i.test(contentType ?? "");
}

/** Reads a request of either encoding. */
export function readOtlpRequest(bytes: Uint8Array, signal: OtlpSignal, contentType: string): OtlpRequest {
  const read = isJsonMediaType(contentType)
    ? readJson(bytes, signal)
    : readProtobuf(bytes, OTLP_REQUESTS[signal], MAX_VALUES);
  return read.ok ? { ok: true, groups: listGroups(read.request, signal) } : read;
}

/** What can be told of a request without reading its attributes. */
export interface OtlpGlance {
  /** Spans, logs or data points, refused ones among them. */
  count: number;
  /** Those that will not be stored, by reason. */
  refused: ReadonlyMap<string, number>;
}

/** Reads and counts. */
export function glanceAtOtlp(
  bytes: Uint8Array,
  signal: OtlpSignal,
  contentType: string,
): { ok: true; glance: OtlpGlance } | OtlpRefusal {
  const read = readGlance(bytes, signal, contentType);
  return read.ok ? { ok: true, glance: countGlanced(read.request, signal) } : read;
}

type ReadRequest = { ok: true; request: Json } | OtlpRefusal;

/** Reads what a glance needs. Protobuf is without its attributes then. */
export function readGlance(bytes: Uint8Array, signal: OtlpSignal, contentType: string): ReadRequest {
  return isJsonMediaType(contentType)
    ? glanceAtJsonRequest(bytes, signal)
    : readProtobuf(bytes, OTLP_GLANCES[signal], MAX_GLANCED_MESSAGES);
}

/** The counts that the digest of the same request will come to. */
export function countGlanced(request: Json, signal: OtlpSignal): OtlpGlance {
  const refused = new Map<string, number>();
  let count = 0;
  for (const { items } of listGroups(request, signal)) {
    if (signal === "metrics") {
      for (const item of items) count += countDataPoints(item);
      continue;
    }
    for (const item of items) {
      const reason = refuseOtlpItem(item, signal, count++);
      if (reason !== null) refused.set(reason, (refused.get(reason) ?? 0) + 1);
    }
  }
  return { count, refused };
}

/**
 * Why a span or a log is not stored, in the words of the ledger; null when it is.
 *
 * @param index its place in the request
 */
export function refuseOtlpItem(item: Json, signal: "traces" | "logs", index: number): string | null {
  if (index >= MAX_OTLP_ITEMS) return signal === "traces" ? "span_count" : "log_count";
  if (item === NOT_AN_OBJECT) return "not_an_object";
  const wrong = findWrongPart(item);
  if (wrong !== null || signal === "logs") return wrong;
  if (!isId(item.traceId, TRACE_ID)) return "missing_trace_id";
  if (!isId(item.spanId, SPAN_ID)) return "missing_span_id";
  const startedUs = toMicroseconds(item.startTimeUnixNano);
  const endedUs = toMicroseconds(item.endTimeUnixNano);
  if (startedUs === null || endedUs === null) return "missing_timestamp";
  return endedUs < startedUs ? "ends_before_start" : null;
}

/**
 * What in a span or a log has another type than OTLP says, so that it would be lost. In JSON alone: protobuf of another type is no message, and
 * a glance at it leaves these fields out.
 */
function findWrongPart(item: Json): string | null {
  const own = findWrongAttributes(item.attributes) ?? findWrongName(item.name) ?? findWrongName(item.eventName);
  if (own !== null) return own;
  for (const [parts, word] of [
    [item.events, "event"],
    [item.links, "link"],
  ] as const) {
    if (!isSaid(parts)) continue;
    if (!Array.isArray(parts)) return `${word}s_not_a_list`;
    for (const part of parts) {
      if (!isRecord(part)) return `${word}_not_an_object`;
      const wrong = findWrongAttributes(part.attributes) ?? findWrongName(part.name);
      if (wrong !== null) return wrong;
    }
  }
  return null;
}

function findWrongAttributes(attributes: unknown): string | null {
  if (!isSaid(attributes)) return null;
  if (!Array.isArray(attributes)) return "attributes_not_a_list";
  return attributes.every(isRecord) ? null : "attribute_not_an_object";
}

function findWrongName(name: unknown): string | null {
  return isSaid(name) && typeof name !== "string" ? "name_not_a_text" : null;
}

/** Null stands for none. */
function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
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
  return typeof value === "string" && pattern.test(withoutNul(value));
}

/** A full reading of JSON has taken NUL out, a glance has not. */
function withoutNul(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "") : text;
}

/** Nanoseconds, as a number or as text, to microseconds since 1970. Null for zero, which means unknown, and for an invalid time. */
export function toMicroseconds(nanoseconds: unknown): number | null {
  if (typeof nanoseconds === "number") return inRange(Math.floor(nanoseconds / 1000));
  if (typeof nanoseconds !== "string") return null;
  const digits = withoutNul(nanoseconds);
  return /^\d{1,20}$/.test(digits) ? inRange(Number(digits.slice(0, -3))) : null;
}

function inRange(microseconds: number): number | null {
  return microseconds > 0 && microseconds <= MAX_MICROSECONDS ? microseconds : null;
}

function readJson(bytes: Uint8Array, signal: OtlpSignal): ReadRequest {
  const parsed = parseJson(bytes);
  return parsed.ok ? toRequest(parsed.value, signal) : malformedJson(parsed.reason);
}

function glanceAtJsonRequest(bytes: Uint8Array, signal: OtlpSignal): ReadRequest {
  if (hasTooManyObjects(bytes))
    return {
      ok: false,
      reason: "too_many_objects",
      detail: `more than ${MAX_JSON_OBJECTS} objects and lists in a request`,
    };
  const value = glanceAtJson(bytes);
  return value === undefined ? malformedJson("invalid") : toRequest(value, signal);
}

/** Counts braces and brackets that open; those in texts count, too. */
function hasTooManyObjects(bytes: Uint8Array): boolean {
  let count = 0;
  for (let at = 0; at < bytes.length && count <= MAX_JSON_OBJECTS; at++)
    if (bytes[at] === 0x7b || bytes[at] === 0x5b) count++;
  return count > MAX_JSON_OBJECTS;
}

function malformedJson(reason: string): OtlpRefusal {
  return {
    ok: false,
    reason: `json_${reason.replaceAll(" ", "_").toLowerCase()}`,
    detail: `the body is not valid JSON (${reason})`,
  };
}

function readProtobuf(bytes: Uint8Array, type: MessageType, maxMessages: number): ReadRequest {
  try {
    return { ok: true, request: decodeMessage(bytes, type, maxMessages) };
  } catch (error) {
    if (!(error instanceof MalformedProtobufError)) throw error;
    return { ok: false, reason: "invalid_protobuf", detail: error.message };
  }
}

function toRequest(value: unknown, signal: OtlpSignal): ReadRequest {
  if (!isRecord(value)) return { ok: false, reason: "not_an_object", detail: "the body is not an object" };
  const detail = findWrongShape(value, signal);
  return detail === null ? { ok: true, request: value } : { ok: false, reason: "wrong_shape", detail };
}

/**
 * What of the lists around spans, logs or metrics is no such list, as a sentence; null when they can be read. Unknown fields are allowed, as
 * OTLP says, but in a body without the one field that there is, they are all that it has: it is of another signal, or has other names.
 */
function findWrongShape(request: Json, signal: OtlpSignal): string | null {
  const [resources, scopes, items] = OTLP_NAMES[signal];
  const [other] = Object.keys(request);
  if (other !== undefined && !(resources in request)) return `the body has no ${resources}, but ${other.slice(0, 40)}`;
  for (const list of listsOf(request, resources)) {
    if (!isListOfObjects(list)) return `${resources} is not a list of objects`;
    for (const resource of list.flatMap((each) => listsOf(each, scopes))) {
      if (!isListOfObjects(resource)) return `${scopes} is not a list of objects`;
      for (const found of resource.flatMap((each) => listsOf(each, items)))
        if (!Array.isArray(found)) return `${items} is not a list`;
    }
  }
  return null;
}

/** The field, where it says something. */
function listsOf(message: Json, field: string): unknown[] {
  return isSaid(message[field]) ? [message[field]] : [];
}

function isListOfObjects(value: unknown): value is Json[] {
  return Array.isArray(value) && value.every(isRecord);
}

/** Stands for an entry of another type, so that it is counted and refused. */
const NOT_AN_OBJECT: Json = Object.freeze({});

function listGroups(request: Json, signal: OtlpSignal): OtlpGroup[] {
  const [resources, scopes, items] = OTLP_NAMES[signal];
  return records(request[resources]).flatMap((each) => {
    const resource = isRecord(each.resource) ? each.resource.attributes : undefined;
    return records(each[scopes]).map((scope) => ({
      resource,
      scope: isRecord(scope.scope) ? scope.scope : {},
      items: records(scope[items]),
    }));
  });
}

function records(value: unknown): Json[] {
  return Array.isArray(value) ? value.map((each) => (isRecord(each) ? each : NOT_AN_OBJECT)) : [];
}

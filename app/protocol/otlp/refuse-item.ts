import { isRecord } from "../../domain/is-record.ts";
import { cleanText } from "./attributes.ts";
import { METRIC_KINDS, type OtlpSignal } from "./messages.ts";
import { findWrongAttributes, findWrongValue, isSaid } from "./refuse-value.ts";
import { toMicroseconds } from "./to-microseconds.ts";

type Json = Record<string, unknown>;

/** Spans, or logs, that one request may hold; ours. Exporters send 512 at a time, collectors 8,192. */
const MAX_OTLP_ITEMS = 10_000;

/** Stands for an entry of another type, so that it is counted and refused. */
export const NOT_AN_OBJECT: Json = Object.freeze({});

/**
 * Why a span, a log or a metric is not stored, in the words of the ledger; null when it is.
 *
 * @param index its place in the request
 */
export function refuseOtlpItem(item: Json, signal: OtlpSignal, index: number): string | null {
  if (signal === "metrics") return item === NOT_AN_OBJECT ? "not_an_object" : findWrongMetric(item);
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
 * The part of a span or a log that would be lost because it has another type than OTLP says. Null: none. It mostly happens in JSON:
 * protobuf of another type is no valid message, and a glance at it leaves these fields out.
 */
function findWrongPart(item: Json): string | null {
  const own = findWrongFields(item) ?? prefix("body_", findWrongValue(item.body)) ?? findWrongStatus(item.status);
  if (own !== null) return own;
  for (const [parts, word] of [
    [item.events, "event"],
    [item.links, "link"],
  ] as const) {
    if (!isSaid(parts)) continue;
    if (!Array.isArray(parts)) return `${word}s_not_a_list`;
    for (const part of parts) {
      const wrong = isRecord(part) ? findWrongFields(part) : `${word}_not_an_object`;
      if (wrong !== null) return wrong;
    }
  }
  return null;
}

/** Text fields of spans, logs, events and links together, with their names in the ledger. */
const TEXTS = [
  ["name", "name"],
  ["eventName", "name"],
  ["severityText", "severity_text"],
  ["traceId", "trace_id"],
  ["spanId", "span_id"],
  ["parentSpanId", "parent_span_id"],
  ["traceState", "trace_state"],
] as const;

/** Fields that must be texts, of values, scopes and statuses, too: a full reading of JSON may not make one of a large number, as a glance does not. */
export const TEXT_FIELDS: ReadonlySet<string> = new Set([
  ...TEXTS.map(([field]) => field),
  ...["key", "stringValue", "bytesValue", "message", "version"],
]);

function findWrongFields(part: Json): string | null {
  for (const [field, word] of TEXTS) {
    const wrong = findWrongText(part[field], word);
    if (wrong !== null) return wrong;
  }
  if (!isTime(part.timeUnixNano) || !isTime(part.observedTimeUnixNano)) return "time_not_a_number";
  return findWrongAttributes(part.attributes);
}

function findWrongStatus(status: unknown): string | null {
  if (!isSaid(status)) return null;
  return isRecord(status) ? findWrongText(status.message, "status_message") : "status_not_an_object";
}

/** Or none. One that is out of range is still a number. */
function isTime(value: unknown): boolean {
  return typeof value === "string" ? /^\s*\d*\s*$/.test(cleanText(value)) : !isSaid(value) || typeof value === "number";
}

/** The same for a resource: nothing of it is stored if its attributes cannot be read. */
export function refuseResource(resource: unknown): string | null {
  if (!isSaid(resource)) return null;
  if (!isRecord(resource)) return "resource_not_an_object";
  return prefix("resource_", findWrongAttributes(resource.attributes));
}

export function refuseScope(scope: unknown): string | null {
  if (!isSaid(scope)) return null;
  if (!isRecord(scope)) return "scope_not_an_object";
  return prefix(
    "scope_",
    findWrongAttributes(scope.attributes) ??
      findWrongText(scope.name, "name") ??
      findWrongText(scope.version, "version"),
  );
}

function prefix(by: string, reason: string | null): string | null {
  return reason === null ? null : by + reason;
}

function findWrongMetric(metric: Json): string | null {
  const wrongName = findWrongText(metric.name, "name");
  if (wrongName !== null) return wrongName;
  const wrongMetadata = findWrongAttributes(metric.metadata);
  if (wrongMetadata !== null) return wrongMetadata;
  const kinds = METRIC_KINDS.map((kind) => metric[kind]).filter(isSaid);
  if (kinds.length === 0) return "no_data";
  for (const data of kinds) {
    if (!isRecord(data)) return "data_not_an_object";
    if (!isSaid(data.dataPoints)) continue;
    if (!Array.isArray(data.dataPoints)) return "data_points_not_a_list";
    for (const point of data.dataPoints) {
      if (!isRecord(point)) return "data_point_not_an_object";
      const wrong = findWrongAttributes(point.attributes) ?? findWrongExemplar(point.exemplars);
      if (wrong !== null) return wrong;
    }
  }
  return null;
}

function findWrongExemplar(exemplars: unknown): string | null {
  if (!isSaid(exemplars)) return null;
  if (!Array.isArray(exemplars)) return "exemplars_not_a_list";
  for (const each of exemplars) {
    const wrong = isRecord(each) ? findWrongAttributes(each.filteredAttributes) : "exemplar_not_an_object";
    if (wrong !== null) return wrong;
  }
  return null;
}

function findWrongText(value: unknown, word: string): string | null {
  return isSaid(value) && typeof value !== "string" ? `${word}_not_a_text` : null;
}

export function countDataPoints(metric: Json): number {
  let count = 0;
  for (const kind of METRIC_KINDS) {
    const { dataPoints } = isRecord(metric[kind]) ? metric[kind] : {};
    if (Array.isArray(dataPoints)) count += dataPoints.length;
  }
  return count;
}

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/i;
const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/i;

/** A full reading of JSON has cleaned its texts, a glance has not. */
function isId(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(cleanText(value));
}

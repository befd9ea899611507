import { isRecord } from "../../domain/is-record.ts";
import { cleanText } from "./attributes.ts";
import { METRIC_KINDS, type OtlpSignal } from "./messages.ts";
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

/** The same of what holds it: nothing of a resource is stored when its attributes cannot be read. */
export function refuseResource(resource: unknown): string | null {
  if (!isSaid(resource)) return null;
  if (!isRecord(resource)) return "resource_not_an_object";
  return prefix("resource_", findWrongAttributes(resource.attributes));
}

export function refuseScope(scope: unknown): string | null {
  if (!isSaid(scope)) return null;
  if (!isRecord(scope)) return "scope_not_an_object";
  return prefix("scope_", findWrongAttributes(scope.attributes) ?? findWrongName(scope.name));
}

function prefix(by: string, reason: string | null): string | null {
  return reason === null ? null : by + reason;
}

function findWrongMetric(metric: Json): string | null {
  const wrongName = findWrongName(metric.name);
  if (wrongName !== null) return wrongName;
  const kinds = METRIC_KINDS.map((kind) => metric[kind]).filter(isSaid);
  if (kinds.length === 0) return "no_data";
  for (const data of kinds) {
    if (!isRecord(data)) return "data_not_an_object";
    if (!isSaid(data.dataPoints)) continue;
    if (!Array.isArray(data.dataPoints)) return "data_points_not_a_list";
    for (const point of data.dataPoints) {
      if (!isRecord(point)) return "data_point_not_an_object";
      const wrong = findWrongAttributes(point.attributes);
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
export function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
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

/**
 * The messages of OTLP 1.9 as far as Culprit reads them: number of each field, its name in OTLP/JSON, and its type. Fields that are
 * not here are skipped.
 */
export type Scalar =
  | "text"
  | "id"
  | "bytes"
  /** Bytes as they are, of what may be decoded later. */
  | "raw"
  | "fixed32"
  | "fixed64"
  | "sfixed64"
  | "int64"
  | "sint32"
  | "uint32"
  | "double"
  | "bool";

export interface Field {
  name: string;
  /** A function: messages name themselves. */
  type: Scalar | (() => MessageType);
  isRepeated: boolean;
}

export type MessageType = ReadonlyMap<number, Field>;

type Definition = readonly [number: number, name: string, type: Field["type"], repeated?: "repeated"];

function message(...fields: readonly Definition[]): MessageType {
  return new Map(
    fields.map(([number, name, type, repeated]) => [number, { name, type, isRepeated: repeated !== undefined }]),
  );
}

export const ANY_VALUE: MessageType = message(
  [1, "stringValue", "text"],
  [2, "boolValue", "bool"],
  [3, "intValue", "int64"],
  [4, "doubleValue", "double"],
  [5, "arrayValue", () => VALUES],
  [6, "kvlistValue", () => KEY_VALUES],
  [7, "bytesValue", "bytes"],
);
const VALUES = message([1, "values", () => ANY_VALUE, "repeated"]);
const KEY_VALUE = message([1, "key", "text"], [2, "value", () => ANY_VALUE]);
const KEY_VALUES = message([1, "values", () => KEY_VALUE, "repeated"]);
export const RESOURCE: MessageType = message(
  [1, "attributes", () => KEY_VALUE, "repeated"],
  [2, "droppedAttributesCount", "uint32"],
);
export const SCOPE: MessageType = message(
  [1, "name", "text"],
  [2, "version", "text"],
  [3, "attributes", () => KEY_VALUE, "repeated"],
  [4, "droppedAttributesCount", "uint32"],
);

const SPAN_EVENT = message(
  [1, "timeUnixNano", "fixed64"],
  [2, "name", "text"],
  [3, "attributes", () => KEY_VALUE, "repeated"],
  [4, "droppedAttributesCount", "uint32"],
);
const LINK = message(
  [1, "traceId", "id"],
  [2, "spanId", "id"],
  [3, "traceState", "text"],
  [4, "attributes", () => KEY_VALUE, "repeated"],
  [5, "droppedAttributesCount", "uint32"],
  [6, "flags", "fixed32"],
);
const STATUS = message([2, "message", "text"], [3, "code", "uint32"]);
const SPAN = message(
  [1, "traceId", "id"],
  [2, "spanId", "id"],
  [3, "traceState", "text"],
  [4, "parentSpanId", "id"],
  [5, "name", "text"],
  [6, "kind", "uint32"],
  [7, "startTimeUnixNano", "fixed64"],
  [8, "endTimeUnixNano", "fixed64"],
  [9, "attributes", () => KEY_VALUE, "repeated"],
  [10, "droppedAttributesCount", "uint32"],
  [11, "events", () => SPAN_EVENT, "repeated"],
  [12, "droppedEventsCount", "uint32"],
  [13, "links", () => LINK, "repeated"],
  [14, "droppedLinksCount", "uint32"],
  [15, "status", () => STATUS],
  [16, "flags", "fixed32"],
);

const LOG_RECORD = message(
  [1, "timeUnixNano", "fixed64"],
  [2, "severityNumber", "uint32"],
  [3, "severityText", "text"],
  [5, "body", () => ANY_VALUE],
  [6, "attributes", () => KEY_VALUE, "repeated"],
  [7, "droppedAttributesCount", "uint32"],
  [9, "traceId", "id"],
  [10, "spanId", "id"],
  [11, "observedTimeUnixNano", "fixed64"],
  [12, "eventName", "text"],
);

const EXEMPLAR = message(
  [2, "timeUnixNano", "fixed64"],
  [3, "asDouble", "double"],
  [4, "spanId", "id"],
  [5, "traceId", "id"],
  [6, "asInt", "sfixed64"],
  [7, "filteredAttributes", () => KEY_VALUE, "repeated"],
);
const NUMBER_POINT = message(
  [2, "startTimeUnixNano", "fixed64"],
  [3, "timeUnixNano", "fixed64"],
  [4, "asDouble", "double"],
  [5, "exemplars", () => EXEMPLAR, "repeated"],
  [6, "asInt", "sfixed64"],
  [7, "attributes", () => KEY_VALUE, "repeated"],
  [8, "flags", "uint32"],
);
const HISTOGRAM_POINT = message(
  [2, "startTimeUnixNano", "fixed64"],
  [3, "timeUnixNano", "fixed64"],
  [4, "count", "fixed64"],
  [5, "sum", "double"],
  [6, "bucketCounts", "fixed64", "repeated"],
  [7, "explicitBounds", "double", "repeated"],
  [8, "exemplars", () => EXEMPLAR, "repeated"],
  [9, "attributes", () => KEY_VALUE, "repeated"],
  [10, "flags", "uint32"],
  [11, "min", "double"],
  [12, "max", "double"],
);
const BUCKETS = message([1, "offset", "sint32"], [2, "bucketCounts", "int64", "repeated"]);
const EXPONENTIAL_POINT = message(
  [1, "attributes", () => KEY_VALUE, "repeated"],
  [2, "startTimeUnixNano", "fixed64"],
  [3, "timeUnixNano", "fixed64"],
  [4, "count", "fixed64"],
  [5, "sum", "double"],
  [6, "scale", "sint32"],
  [7, "zeroCount", "fixed64"],
  [8, "positive", () => BUCKETS],
  [9, "negative", () => BUCKETS],
  [10, "flags", "uint32"],
  [11, "exemplars", () => EXEMPLAR, "repeated"],
  [12, "min", "double"],
  [13, "max", "double"],
  [14, "zeroThreshold", "double"],
);
const QUANTILE = message([1, "quantile", "double"], [2, "value", "double"]);
const SUMMARY_POINT = message(
  [2, "startTimeUnixNano", "fixed64"],
  [3, "timeUnixNano", "fixed64"],
  [4, "count", "fixed64"],
  [5, "sum", "double"],
  [6, "quantileValues", () => QUANTILE, "repeated"],
  [7, "attributes", () => KEY_VALUE, "repeated"],
  [8, "flags", "uint32"],
);
const points = (type: MessageType): MessageType =>
  message(
    [1, "dataPoints", () => type, "repeated"],
    [2, "aggregationTemporality", "uint32"],
    [3, "isMonotonic", "bool"],
  );
const GAUGE = points(NUMBER_POINT);
const HISTOGRAM = points(HISTOGRAM_POINT);
const EXPONENTIAL = points(EXPONENTIAL_POINT);
const SUMMARY = points(SUMMARY_POINT);
/** The fields of a metric that hold its data points; one of them is there. */
export const METRIC_KINDS = ["gauge", "sum", "histogram", "exponentialHistogram", "summary"] as const;
const METRIC = message(
  [1, "name", "text"],
  [2, "description", "text"],
  [3, "unit", "text"],
  [5, "gauge", () => GAUGE],
  [7, "sum", () => GAUGE],
  [9, "histogram", () => HISTOGRAM],
  [10, "exponentialHistogram", () => EXPONENTIAL],
  [11, "summary", () => SUMMARY],
  [12, "metadata", () => KEY_VALUE, "repeated"],
);

function request(resources: string, scopes: string, items: string, item: MessageType, isGlance = false): MessageType {
  const scope = message([1, "scope", isGlance ? "raw" : () => SCOPE], [2, items, () => item, "repeated"]);
  const resource = message([1, "resource", isGlance ? "raw" : () => RESOURCE], [2, scopes, () => scope, "repeated"]);
  return message([1, resources, () => resource, "repeated"]);
}

export type OtlpSignal = "traces" | "logs" | "metrics";

/** The fields that contain resources, scopes and items, by their names in OTLP/JSON. */
export const OTLP_NAMES = {
  traces: ["resourceSpans", "scopeSpans", "spans"],
  logs: ["resourceLogs", "scopeLogs", "logRecords"],
  metrics: ["resourceMetrics", "scopeMetrics", "metrics"],
} as const;

export const OTLP_REQUESTS: Readonly<Record<OtlpSignal, MessageType>> = {
  traces: request(...OTLP_NAMES.traces, SPAN),
  logs: request(...OTLP_NAMES.logs, LOG_RECORD),
  metrics: request(...OTLP_NAMES.metrics, METRIC),
};

const pick = (type: MessageType, names: readonly string[]): MessageType =>
  new Map([...type].filter(([, { name }]) => names.includes(name)));
const glancePoints = (): MessageType => message([1, "dataPoints", () => message(), "repeated"]);
const GLANCE_METRIC: MessageType = message(
  ...([5, 7, 9, 10, 11] as const).map((number): Definition => [number, METRIC.get(number)?.name ?? "", glancePoints]),
);

/** Message types with only the fields for counting items and finding those that cannot be stored. Resources and scopes stay bytes. */
export const OTLP_GLANCES: Readonly<Record<OtlpSignal, MessageType>> = {
  traces: request(
    ...OTLP_NAMES.traces,
    pick(SPAN, ["traceId", "spanId", "startTimeUnixNano", "endTimeUnixNano"]),
    true,
  ),
  logs: request(...OTLP_NAMES.logs, pick(LOG_RECORD, []), true),
  metrics: request(...OTLP_NAMES.metrics, GLANCE_METRIC, true),
};

import { toSentAttributes } from "../../domain/spans/sent-attributes.ts";
import { type Attributes, joinAttributes } from "../../domain/spans/typed-attributes.ts";
import type { SpanRow } from "./spans.ts";

type Json = Record<string, unknown>;

/** Attributes of containers that have a column of their own, in spans and logs alike. */
export const SHARED_ATTRIBUTES = {
  origin: "sentry.origin",
  release: "sentry.release",
  environment: "sentry.environment",
  sdkName: "sentry.sdk.name",
  sdkVersion: "sentry.sdk.version",
  service: "service.name",
} as const;

/** The same of spans. */
export const SPAN_ATTRIBUTES = {
  ...SHARED_ATTRIBUTES,
  op: "sentry.op",
  segment: "sentry.segment.name",
  segmentId: "sentry.segment.id",
} as const;

export const SAMPLE_RATE = "sentry.sample_rate";

/** A field of a row's rest: columns that were filled from what the span came with. They were not among its attributes. */
export const INHERITED = "culprit.inherited";

/**
 * The span as it was sent, in the form in which it came. Ids are in lower case and times are seconds, to the microsecond; a span of a
 * transaction names its segment, and one of a container says whether it is one, also where they did not. Of a root, what its trace context says.
 */
export function toSentSpan(row: SpanRow): Json {
  const others: Attributes = row.attributes === null ? {} : JSON.parse(row.attributes);
  const attributes = joinAttributes(row.typed, others);
  const { [INHERITED]: inherited, ...rest }: Json = row.rest === null ? {} : JSON.parse(row.rest);
  const startedUs = row.startedUs - (row.shiftUs ?? 0);
  const ids = {
    trace_id: row.traceId,
    span_id: row.spanId,
    parent_span_id: row.parentSpanId ?? undefined,
    start_timestamp: startedUs / 1e6,
  };
  const endedAt = (startedUs + row.durationUs) / 1e6;
  if (row.form !== "v2") {
    return withoutUndefined({
      ...ids,
      timestamp: endedAt,
      segment_id: row.segmentId ?? undefined,
      is_segment: row.isSegment || undefined,
      op: row.op ?? undefined,
      description: row.name ?? undefined,
      status: row.status ?? undefined,
      origin: row.origin ?? undefined,
      kind: row.kind ?? undefined,
      data: row.attributes === null ? undefined : attributes,
      ...rest,
    });
  }
  if (row.sampleRate !== null) addAttribute(attributes, SAMPLE_RATE, { type: "double", value: row.sampleRate });
  addOwnAttributes(attributes, row, SPAN_ATTRIBUTES, inherited);
  if (inherits(inherited, "sampleRate")) delete attributes[SAMPLE_RATE];
  return withoutUndefined({
    ...ids,
    end_timestamp: endedAt,
    name: row.name ?? undefined,
    status: row.status ?? undefined,
    kind: row.kind ?? undefined,
    is_segment: row.isSegment,
    attributes: row.attributes === null ? undefined : toSentAttributes(attributes),
    ...rest,
  });
}

/** Attributes that stand in columns, unless these are copies of something else. */
export function addOwnAttributes<Row extends object>(
  attributes: Attributes,
  row: Row,
  keys: Partial<Record<keyof Row, string>>,
  inherited: unknown,
): void {
  for (const column of Object.keys(keys) as Array<keyof Row & string>) {
    const value = row[column];
    if (value !== null && !inherits(inherited, column)) addAttribute(attributes, keys[column] as string, value);
  }
}

function inherits(inherited: unknown, column: string): boolean {
  return Array.isArray(inherited) && inherited.includes(column);
}

/** What stands among the others is as it was sent. */
function addAttribute(attributes: Attributes, key: string, value: unknown): void {
  if (!Object.hasOwn(attributes, key)) attributes[key] = value;
}

export function withoutUndefined(value: Json): Json {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}

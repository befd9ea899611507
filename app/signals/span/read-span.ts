import { toNameGroup } from "../../domain/spans/name-group.ts";
import { toPlainAttributes } from "../../domain/spans/sent-attributes.ts";
import { type Attributes, MAX_TYPED_TEXT, splitAttributes } from "../../domain/spans/typed-attributes.ts";
import { normalizeEventId } from "../../protocol/event-id.ts";
import { INHERITED, SAMPLE_RATE, SPAN_ATTRIBUTES } from "../../stores/events/sent-span.ts";
import type { SpanRow } from "../../stores/events/spans.ts";
import { type Json, toRecord, toShortText } from "../item-summary.ts";
import { Fields, toJsonText } from "./fields.ts";
import { readSampleRate, type SentTogether, toEnvironment, toRelease } from "./sent-together.ts";
import { readSpanId } from "./span-ids.ts";
import { readMicroseconds } from "./span-times.ts";

/** One span with all that it has (protocol: 1 MiB, as documented for SDKs), in characters of JSON. */
export const MAX_SPAN_CHARACTERS = 1 << 20;
const MAX_NAME = 8_192;
const MAX_WORD = 200;

/** What a row says of the span itself, with the times as sent. */
export type ReadSpan = Omit<SpanRow, "sequence" | "projectId" | "receivedAt" | "category" | "shiftUs" | "resource">;

/** What the spans of a transaction have from it. */
export interface OfTransaction extends SentTogether {
  segmentId: string;
}

/** A span of a transaction, or one that came alone. A text is the reason why it cannot be stored. */
export function readV1Span(value: Json, sent: SentTogether | OfTransaction): ReadSpan | string {
  const fields = new Fields(value);
  const timed = readTimed(fields, { endField: "timestamp", traceId: "segmentId" in sent ? sent.traceId : null });
  if (typeof timed === "string") return timed;
  const data = fields.take("data", (each) =>
    typeof each === "object" && !Array.isArray(each) ? (each as Json) : null,
  );
  const { typed, others } = splitAttributes(data ?? {});
  const name = fields.takeText("description", MAX_NAME);
  const segmentId = fields.take("segment_id", readSpanId);
  const ownSegment = toShortText(others["sentry.segment.name"]) ?? toShortText(others.transaction);
  return {
    ...timed,
    form: "v1",
    segmentId: segmentId ?? ("segmentId" in sent ? sent.segmentId : null),
    isSegment: fields.take("is_segment", readBoolean) ?? false,
    op: fields.takeText("op", MAX_WORD),
    name,
    nameGroup: name === null ? null : toNameGroup(name),
    status: fields.takeText("status", MAX_WORD),
    kind: fields.takeText("kind", MAX_WORD),
    origin: fields.takeText("origin", MAX_WORD),
    segment: ownSegment ?? sent.segment,
    release: toRelease(others["sentry.release"]) ?? toRelease(others.release) ?? sent.release,
    environment: toEnvironment(others["sentry.environment"]) ?? toEnvironment(others.environment) ?? sent.environment,
    sampleRate: readSampleRate(others[SAMPLE_RATE]) ?? sent.sampleRate,
    service: toShortText(others["service.name"]),
    sdkName: sent.sdkName,
    sdkVersion: sent.sdkVersion,
    typed,
    attributes: data === null ? null : JSON.stringify(others),
    rest: toJsonText(fields.rest()),
  };
}

/** A span of a container. A text is the reason why it cannot be stored. */
export function readV2Span(value: Json, sent: SentTogether): ReadSpan | string {
  const fields = new Fields(value);
  const timed = readTimed(fields, { endField: "end_timestamp", traceId: null });
  if (typeof timed === "string") return timed;
  const attributes = fields.take("attributes", (each) => (isObject(each) ? toPlainAttributes(each) : null));
  const own = readOwnAttributes(attributes ?? {}, SPAN_ATTRIBUTES, sent);
  const segmentId = readSpanId(own.columns.segmentId);
  const sampleRate = own.fields.take(SAMPLE_RATE, readDouble);
  const isRateInherited = sampleRate === null && !hasKey(attributes, SAMPLE_RATE) && sent.sampleRate !== null;
  const { typed, others } = splitAttributes(attributes ?? {}, own.fields.taken);
  // A segment id that is not 16 lower-case hex characters stays with the other attributes, as it came.
  const isSegmentIdOdd = own.columns.segmentId !== null && own.columns.segmentId !== segmentId;
  if (isSegmentIdOdd) others[SPAN_ATTRIBUTES.segmentId] = own.columns.segmentId;
  const name = fields.takeText("name", MAX_NAME);
  const inherited = [...own.inherited, ...(isRateInherited ? ["sampleRate"] : [])];
  const { op, origin, segment, release, environment, service, sdkName, sdkVersion } = own.columns;
  const kind = fields.takeText("kind", MAX_WORD);
  const status = fields.takeText("status", MAX_WORD);
  const isSegment = fields.take("is_segment", readBoolean) ?? false;
  const rest: Json = { ...fields.rest(), ...(inherited.length > 0 ? { [INHERITED]: inherited } : {}) };
  return {
    ...timed,
    form: "v2",
    segmentId,
    isSegment,
    op,
    name,
    nameGroup: name === null ? null : toNameGroup(name),
    status,
    kind,
    origin,
    segment,
    release,
    environment,
    sampleRate: sampleRate ?? readSampleRate(toValue(attributes?.[SAMPLE_RATE])) ?? sent.sampleRate,
    service,
    sdkName,
    sdkVersion,
    typed,
    attributes: attributes === null ? null : JSON.stringify(others),
    rest: toJsonText(rest),
  };
}

/**
 * Attributes that are columns of their own, for all of `keys`. Where one is missing, its column gets what the envelope says; `inherited`
 * names these.
 */
export function readOwnAttributes<Column extends string>(
  attributes: Attributes,
  keys: Readonly<Record<Column, string>>,
  sent: SentTogether,
): { columns: Record<Column, string | null>; inherited: string[]; fields: Fields } {
  const fields = new Fields(attributes);
  const known: Partial<Record<string, unknown>> = { ...sent };
  const inherited: string[] = [];
  const columns = {} as Record<Column, string | null>;
  for (const column in keys) {
    const key = keys[column];
    const rule = COLUMN_RULES[column];
    columns[column] = fields.take(key, (value) => {
      const text = toColumnText(value);
      return rule === undefined || text === null || rule(text) === text ? text : null;
    });
    // What the rule has changed stays among the others as it was sent, and the column has a copy.
    if (rule !== undefined && columns[column] === null) columns[column] = rule(toValue(attributes[key]));
    const fallback = known[column];
    if (columns[column] !== null || Object.hasOwn(attributes, key) || typeof fallback !== "string") continue;
    columns[column] = fallback;
    inherited.push(column);
  }
  return { columns, inherited, fields };
}

const COLUMN_RULES: Partial<Record<string, (value: unknown) => string | null>> = {
  release: toRelease,
  environment: toEnvironment,
};

function toColumnText(value: unknown): string | null {
  return typeof value === "string" && value.length <= MAX_TYPED_TEXT ? value : null;
}

function readTimed(fields: Fields, { endField, traceId: known }: { endField: string; traceId: string | null }) {
  const traceId = fields.take("trace_id", normalizeEventId) ?? known;
  if (traceId === null) return "missing_trace_id";
  const spanId = fields.take("span_id", readSpanId);
  if (spanId === null) return "missing_span_id";
  const startedUs = fields.take("start_timestamp", readMicroseconds);
  const endedUs = fields.take(endField, readMicroseconds);
  if (startedUs === null || endedUs === null) return "missing_timestamp";
  if (endedUs < startedUs) return "ends_before_start";
  const parentSpanId = fields.take("parent_span_id", readSpanId);
  return { traceId, spanId, parentSpanId, startedUs, durationUs: endedUs - startedUs };
}

/** As `toPlainAttributes` gives what was sent as a double. */
function readDouble(value: unknown): number | null {
  if (typeof value === "number" && !Number.isInteger(value)) return readSampleRate(value);
  const { type, value: number, ...more } = toRecord(value);
  return type === "double" && number === 1 && Object.keys(more).length === 0 ? 1 : null;
}

function readBoolean(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

function toValue(attribute: unknown): unknown {
  return isObject(attribute) ? attribute.value : attribute;
}

function hasKey(attributes: Attributes | null, key: string): boolean {
  return attributes !== null && Object.hasOwn(attributes, key);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

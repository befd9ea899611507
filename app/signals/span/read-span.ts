import { isRecord } from "../../domain/is-record.ts";
import { groupSpan } from "../../domain/spans/request-name.ts";
import { splitAttributes } from "../../domain/spans/typed-attributes.ts";
import { normalizeEventId } from "../../protocol/event-id.ts";
import { INHERITED, SAMPLE_RATE, SPAN_ATTRIBUTES } from "../../stores/events/sent-span.ts";
import type { SpanRow } from "../../stores/events/spans.ts";
import { type Json, toRecord, toShortText } from "../item-summary.ts";
import { Fields, toJsonText } from "./fields.ts";
import { placeAttributes, readAttributes, toValue } from "./read-attributes.ts";
import { readSampleRate, type SentTogether, toEnvironment, toRelease } from "./sent-together.ts";
import { readSpanId } from "./span-ids.ts";
import { readMicroseconds } from "./span-times.ts";

/** The largest span with everything in it (protocol: 1 MiB, as documented for SDKs), in characters of JSON. */
export const MAX_SPAN_CHARACTERS = 1 << 20;
const MAX_NAME = 8_192;
const MAX_WORD = 200;

/** The fields of a row that describe the span itself, with the times as sent. */
export type ReadSpan = Omit<SpanRow, "sequence" | "projectId" | "receivedAt" | "category" | "shiftUs" | "resource">;

/** The fields that the spans of a transaction get from it. */
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
  const op = fields.takeText("op", MAX_WORD);
  const ownSegment = toShortText(others["sentry.segment.name"]) ?? toShortText(others.transaction);
  return {
    ...timed,
    form: "v1",
    segmentId: segmentId ?? ("segmentId" in sent ? sent.segmentId : null),
    isSegment: fields.take("is_segment", readBoolean) ?? false,
    op,
    name,
    nameGroup: groupSpan({ name, op, typed }),
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

const PLACES = placeAttributes(SPAN_ATTRIBUTES, { key: SAMPLE_RATE, read: readDouble }, { isTyped: true });

/** A span of a container. A text is the reason why it cannot be stored. */
export function readV2Span(value: Json, sent: SentTogether): ReadSpan | string {
  const fields = new Fields(value);
  const timed = readTimed(fields, { endField: "end_timestamp", traceId: null });
  if (typeof timed === "string") return timed;
  const attributes = fields.take("attributes", (each) => (isRecord(each) ? each : null));
  const { columns, inherited, number: sampleRate, typed, others } = readAttributes(attributes ?? {}, PLACES, sent);
  const isRateMissing = sampleRate === null && !(attributes !== null && Object.hasOwn(attributes, SAMPLE_RATE));
  if (isRateMissing && sent.sampleRate !== null) inherited.push("sampleRate");
  const oddSampleRate = readSampleRate(toValue(others[SAMPLE_RATE]));
  const segmentId = readSpanId(columns.segmentId);
  // A segment id that is not 16 lower-case hex characters stays with the other attributes, as it came.
  if (columns.segmentId !== null && columns.segmentId !== segmentId)
    others[SPAN_ATTRIBUTES.segmentId] = columns.segmentId;
  const name = fields.takeText("name", MAX_NAME);
  const { op, origin, segment, release, environment, service, sdkName, sdkVersion } = columns;
  const kind = fields.takeText("kind", MAX_WORD);
  const status = fields.takeText("status", MAX_WORD);
  const isSegment = fields.take("is_segment", readBoolean) ?? false;
  const rest = fields.rest();
  if (inherited.length > 0) rest[INHERITED] = inherited;
  return {
    ...timed,
    form: "v2",
    segmentId,
    isSegment,
    op,
    name,
    nameGroup: groupSpan({ name, op, typed }),
    status,
    kind,
    origin,
    segment,
    release,
    environment,
    sampleRate: sampleRate ?? oddSampleRate ?? sent.sampleRate,
    service,
    sdkName,
    sdkVersion,
    typed,
    attributes: attributes === null ? null : JSON.stringify(others),
    rest: toJsonText(rest),
  };
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

/** Reads a number, in the form in which `toPlainAttribute` returns a double. */
function readDouble(value: unknown): number | null {
  if (typeof value === "number" && !Number.isInteger(value)) return readSampleRate(value);
  const { type, value: number, ...more } = toRecord(value);
  return type === "double" && number === 1 && Object.keys(more).length === 0 ? 1 : null;
}

function readBoolean(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

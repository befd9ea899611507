import { isRecord } from "../../domain/is-record.ts";
import { groupSpan } from "../../domain/spans/request-name.ts";
import { splitAttributes } from "../../domain/spans/typed-attributes.ts";
import { normalizeEventId } from "../../protocol/event-id.ts";
import { SAMPLE_RATE } from "../../stores/events/sent-span.ts";
import { type Json, releaseAndEnvironment, toRecord, toShortText } from "../item-summary.ts";
import type { ArrivedItem, ConvertedItem } from "../signal.ts";
import { type ReadSpan, readV1Span } from "../span/read-span.ts";
import { readSampleRate, readSentTogether } from "../span/sent-together.ts";
import { readSpanId } from "../span/span-ids.ts";
import { endOf, Losses, readEach, toSpanRows } from "../span/span-rows.ts";
import { findShifts, readMicroseconds } from "../span/span-times.ts";
import type { SplitItem } from "../stored-item.ts";

export const UNLABELED = "<unlabeled transaction>";
/** More tags than an SDK's scope has. Further ones are only in the payload. */
const MAX_TAGS = 100;

/**
 * The rows of a transaction: its own first. The rest of the event stays whole in the payload, so the row of the root has copies. Nothing
 * where its ids or times are not such as a row can hold: then all of it stays in the payload.
 */
export function splitTransaction(value: Json, item: ArrivedItem): SplitItem {
  const read = readRows(value, item);
  if (read === null) return { value, rows: [], outcomes: [] };
  const { event, rows, losses } = read;
  return { value: event, rows, outcomes: losses.outcomes(item, "span") };
}

/** See `Signal.convert`. The event stays, with the spans that no row can hold. */
export function convertTransaction(value: Json, item: ArrivedItem): ConvertedItem | null {
  const read = readRows(value, item);
  if (read === null) return null;
  const { event, rows, left } = read;
  return { rows, rest: left.length === 0 ? event : { ...event, spans: left }, restQuantity: 1 };
}

/** Null when its ids or times do not fit into a row. `left`: values without a row. */
function readRows(value: Json, item: ArrivedItem) {
  const root = readRoot(value, item);
  if (root === null) return null;
  const { spans, ...event } = value;
  const losses = new Losses();
  const { release, environment, sampleRate, segment, sdkName, sdkVersion, spanId, traceId } = root;
  const ofRoot = { release, environment, sampleRate, segment, sdkName, sdkVersion, traceId, segmentId: spanId };
  // The size of the item bounds their number: 1 MiB holds some thousands.
  const children = readEach(Array.isArray(spans) ? spans : [], losses, (each) => readV1Span(each, ofRoot));
  const all = [root, ...children.spans];
  const rows = toSpanRows(all, item, {
    category: "transaction",
    shiftOf: findShifts(all.map(endOf), item),
    resource: null,
  });
  return { event, rows, left: children.left, losses };
}

/** Null when its ids or times do not fit into a row. */
function readRoot(value: Json, item: ArrivedItem): ReadSpan | null {
  const contexts = toRecord(value.contexts);
  const trace = toRecord(contexts.trace);
  const sent = readSentTogether(item);
  const sdk = toRecord(value.sdk);
  const spanId = readSpanId(trace.span_id);
  const traceId = normalizeEventId(trace.trace_id);
  const startedUs = readMicroseconds(value.start_timestamp);
  const endedUs = readMicroseconds(value.timestamp);
  if (spanId === null || traceId === null || startedUs === null || endedUs === null || endedUs < startedUs) return null;
  const name = toShortText(value.transaction) ?? UNLABELED;
  const attributes = toRootAttributes(value, contexts, toRecord(trace.data));
  const { typed, others } = splitAttributes(attributes);
  const op = toShortText(trace.op);
  const own = releaseAndEnvironment(value);
  return {
    form: "root",
    traceId,
    spanId,
    parentSpanId: readSpanId(trace.parent_span_id),
    segmentId: spanId,
    isSegment: true,
    startedUs,
    durationUs: endedUs - startedUs,
    op,
    name,
    nameGroup: groupSpan({ name, op, typed }),
    status: toShortText(trace.status),
    kind: null,
    origin: toShortText(trace.origin),
    segment: name,
    release: own.release ?? sent.release,
    environment: own.environment ?? sent.environment,
    sampleRate: readSampleRate(attributes[SAMPLE_RATE]) ?? sent.sampleRate,
    service: toShortText(attributes["service.name"]),
    sdkName: toShortText(sdk.name) ?? sent.sdkName,
    sdkVersion: toShortText(sdk.version) ?? sent.sdkVersion,
    typed,
    attributes: JSON.stringify(others),
    rest: null,
  };
}

/** The attributes of the transaction as a whole, by the names that they have in containers. Values of its trace context win. */
function toRootAttributes(value: Json, contexts: Json, data: Json): Json {
  const attributes: Json = { ...data };
  const add = (key: string, of: unknown) => {
    const isPlain = typeof of === "string" || typeof of === "number" || typeof of === "boolean";
    if (isPlain && of !== "" && !Object.hasOwn(attributes, key)) attributes[key] = of;
  };
  const request = toRecord(value.request);
  add("http.request.method", request.method);
  add("url.full", request.url);
  const user = toRecord(value.user);
  add("user.id", typeof user.id === "number" ? String(user.id) : user.id);
  add("user.email", user.email);
  add("browser.name", toRecord(contexts.browser).name);
  add("os.name", toRecord(contexts.os).name);
  add("device.family", toRecord(contexts.device).family);
  add("sentry.replay_id", toRecord(contexts.replay).replay_id);
  const profile = toRecord(contexts.profile);
  add("sentry.profile_id", profile.profile_id);
  add("sentry.profiler_id", profile.profiler_id);
  add("server.address", value.server_name);
  add("sentry.source", toRecord(value.transaction_info).source);
  for (const [key, tag] of listTags(value.tags)) add(key, tag);
  for (const [key, measured] of Object.entries(toRecord(value.measurements)).slice(0, MAX_TAGS))
    add(`measurements.${key}`, isRecord(measured) ? measured.value : measured);
  return attributes;
}

/** The tags, from either of the two forms in which SDKs send them. */
function listTags(tags: unknown): Array<[key: string, value: unknown]> {
  if (!Array.isArray(tags)) return Object.entries(toRecord(tags)).slice(0, MAX_TAGS);
  return tags.slice(0, MAX_TAGS).flatMap((tag): Array<[string, unknown]> => {
    if (Array.isArray(tag)) return typeof tag[0] === "string" ? [[tag[0], tag[1]]] : [];
    return isRecord(tag) && typeof tag.key === "string" ? [[tag.key, tag.value]] : [];
  });
}

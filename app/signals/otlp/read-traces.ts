import { isRecord } from "../../domain/is-record.ts";
import { measureJson } from "../../domain/measure-json.ts";
import { cleanText, toAttributes, toPlainAttributes, withJsonTexts } from "../../protocol/otlp/attributes.ts";
import { droppedCounts } from "../../protocol/otlp/dropped-counts.ts";
import { readSpanKind, readStatusCode } from "../../protocol/otlp/enum-numbers.ts";
import { readOtlpRequest } from "../../protocol/otlp/read-request.ts";
import { toMicroseconds } from "../../protocol/otlp/to-microseconds.ts";
import { scrubJson } from "../../scrub/scrub-json.ts";
import type { ScrubRules } from "../../scrub/scrub-rules.ts";
import { SAMPLE_RATE } from "../../stores/events/sent-span.ts";
import type { Digested } from "../digested.ts";
import type { Json } from "../item-summary.ts";
import { type ArrivedItem, itemQuantity, malformed, type ReadContext } from "../signal.ts";
import { MAX_SPAN_CHARACTERS, type ReadSpan, readV2Span } from "../span/read-span.ts";
import { readSpanId } from "../span/span-ids.ts";
import { charactersOf, endOf, Losses, toSpanRows } from "../span/span-rows.ts";
import { digestGroups, type ReadGroup } from "./digest-groups.ts";
import { hasException, type RecordedException, withExceptions } from "./exceptions.ts";
import { NOTHING_TOGETHER, type Origin, toOrigin } from "./resource.ts";
import { findSegments, type Segment } from "./segments.ts";
import { toOperation } from "./span-operation.ts";
import { MAX_TRACE_STATE, readKeptShare } from "./trace-state.ts";

const KINDS = ["internal", "internal", "server", "client", "producer", "consumer"];
const IS_REMOTE_KNOWN = 0x100;
const IS_REMOTE = 0x200;
const STATUS_OK = 1;
const STATUS_ERROR = 2;

/** Spans of an export request: each is a row, as one of a container is. Exceptions of their events are events. */
export function readOtlpTraces(item: ArrivedItem, context: ReadContext): Digested | Promise<Digested> {
  const request = readOtlpRequest(item.payload, "traces", String(item.header.content_type ?? ""));
  if (!request.ok) return malformed(item, request.reason, itemQuantity(item.signal, item.header, item.payload.length));
  const losses = new Losses(request.refused);
  const scrubRules = context.scrubRulesOf(item.entry.projectId);
  const segments = findSegments(request.groups.flatMap(({ items }) => items));
  const exceptions: RecordedException[] = [];
  const read: Array<ReadGroup<ReadSpan>> = [];
  for (const group of request.groups) {
    const origin = toOrigin(group);
    const spans: ReadSpan[] = [];
    for (const sent of group.items) {
      const span = readSpan(sent, origin, { segments, scrubRules });
      if (typeof span === "string") losses.add(span);
      else if (charactersOf(span) > MAX_SPAN_CHARACTERS) losses.add("span_size");
      else {
        spans.push(span);
        exceptions.push(...findExceptions(sent, origin, segments.get(span.spanId)));
      }
    }
    read.push({ resource: group.resource, origin, items: spans });
  }
  const digested = digestGroups(item, read, {
    endOf,
    toRows: (spans, common) => toSpanRows(spans, item, { category: "span", ...common }),
    losses,
  });
  return withExceptions(digested, exceptions, item, context);
}

function findExceptions(span: Json, origin: Origin, segment: Segment | undefined): RecordedException[] {
  const events = Array.isArray(span.events) ? span.events.filter(isRecord) : [];
  return events.flatMap(({ name, timeUnixNano, attributes: list }) => {
    const attributes = name === "exception" ? toAttributes(list) : {};
    if (!hasException(attributes)) return [];
    const { traceId, spanId } = span;
    const transaction = segment?.name || null;
    return [{ origin, attributes, traceId, spanId, timestamp: toSeconds(timeUnixNano), level: "error", transaction }];
  });
}

/** Converts a span to the form that it has in an envelope's container. */
function readSpan(
  sent: Json,
  origin: Origin,
  { segments, scrubRules }: { segments: ReadonlyMap<string, Segment>; scrubRules: ScrubRules },
): ReadSpan | string {
  const spanId = readSpanId(sent.spanId);
  const own = toPlainAttributes(sent.attributes);
  const events = Array.isArray(sent.events) ? sent.events.filter(isRecord).map(toEvent) : [];
  const links = Array.isArray(sent.links) ? sent.links.filter(isRecord).map(toLink) : [];
  const status = isRecord(sent.status) ? sent.status : {};
  const name = typeof sent.name === "string" ? cleanText(sent.name) : "";
  // 16 MiB of control characters would become 112 MiB of JSON before anybody asked for its size.
  const said = [name, own, events, links, status.message ?? "", sent.traceState ?? ""];
  if (measureJson(said, MAX_SPAN_CHARACTERS) > MAX_SPAN_CHARACTERS) return "span_size";
  for (const { attributes } of [...events, ...links]) withJsonTexts(attributes);
  const flags = Number(sent.flags ?? 0);
  const statusCode = readStatusCode(status.code);
  const kind = KINDS[readSpanKind(sent.kind)] ?? "internal";
  const segment = spanId === null ? undefined : segments.get(spanId);
  const operation = toOperation(own, kind);
  const attributes: Json = {
    ...origin.attributes,
    "sentry.origin": "auto.otlp.spans",
    ...(operation === null ? {} : { "sentry.op": operation }),
    ...(segment === undefined ? {} : { "sentry.segment.id": segment.id, "sentry.segment.name": segment.name }),
    ...(statusCode === STATUS_OK ? { "otel.status_code": "OK" } : {}),
    ...droppedCounts(sent),
    ...withJsonTexts(own),
  };
  if (typeof status.message === "string" && status.message !== "")
    attributes["sentry.status.message"] = cleanText(status.message);
  const traceState = typeof sent.traceState === "string" ? cleanText(sent.traceState) : "";
  const kept = readKeptShare(traceState.slice(0, MAX_TRACE_STATE));
  if (traceState !== "") attributes["w3c.tracestate"] ??= traceState;
  if (kept !== null && kept > 0 && kept < 1) attributes[SAMPLE_RATE] ??= kept;
  const span: Json = {
    trace_id: sent.traceId,
    span_id: sent.spanId,
    ...(sent.parentSpanId ? { parent_span_id: sent.parentSpanId } : {}),
    name,
    kind,
    status: statusCode === STATUS_ERROR ? "error" : "ok",
    start_timestamp: toSeconds(sent.startTimeUnixNano),
    end_timestamp: toSeconds(sent.endTimeUnixNano),
    is_segment: segment?.id === spanId && spanId !== null,
    ...(flags & IS_REMOTE_KNOWN ? { is_remote: (flags & IS_REMOTE) !== 0 } : {}),
    attributes,
    ...(events.length > 0 ? { events } : {}),
    ...(links.length > 0 ? { links } : {}),
  };
  return readV2Span(scrubJson(span, scrubRules).value as Json, NOTHING_TOGETHER);
}

/** Converts an event. Objects among its attributes stay objects. */
function toEvent(event: Json): Json & { attributes: Json } {
  const { name, timeUnixNano, attributes } = event;
  return {
    name: typeof name === "string" ? cleanText(name) : "",
    timestamp: toSeconds(timeUnixNano),
    attributes: { ...droppedCounts(event), ...toPlainAttributes(attributes) },
  };
}

function toLink(link: Json): Json & { attributes: Json } {
  const { traceId, spanId, traceState, flags, attributes } = link;
  const state = typeof traceState === "string" ? cleanText(traceState) : "";
  return {
    trace_id: typeof traceId === "string" ? traceId : null,
    span_id: typeof spanId === "string" ? spanId : null,
    sampled: (Number(flags ?? 0) & 1) === 1,
    attributes: {
      ...(state === "" ? {} : { "w3c.tracestate": state }),
      ...droppedCounts(link),
      ...toPlainAttributes(attributes),
    },
  };
}

function toSeconds(nanoseconds: unknown): number | null {
  const microseconds = toMicroseconds(nanoseconds);
  return microseconds === null ? null : microseconds / 1e6;
}

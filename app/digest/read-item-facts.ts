import { normalizeEventId } from "../protocol/event-id.ts";
import { parseTimestampMs } from "../protocol/timestamps.ts";
import { MetaRecorder } from "./normalize/meta.ts";
import { normalizeEnvironment, normalizeRelease } from "./normalize/release-environment.ts";
import { toMonitorSlug } from "./read-check-in.ts";
import { readRecordingSegment, readVideoSegment } from "./replay-segment.ts";

/** What a list of items needs to know of one. */
export interface ItemFacts {
  /** How many things it holds: 1, or the length of a container. */
  quantity: number;
  eventId: string | null;
  traceId: string | null;
  /** Milliseconds since 1970. */
  occurredAt: number | null;
  environment: string | null;
  release: string | null;
  name: string | null;
}

type Json = Record<string, unknown>;

/** How the payload of a kind is read. A JSON reader gives the reason (a token) when the item is worth nothing. */
export type ItemReader =
  | {
      kind: "json";
      /** `arrivedAt`: what the sender's clock showed when the item came, in milliseconds since 1970. */
      read(value: Json, arrivedAt: number): ItemFacts | string;
    }
  | { kind: "bytes"; read(header: Json, payload: Uint8Array): ItemFacts };

/** The reader for an item by its header. Kinds that nobody knows are bytes. */
export function readItemFacts(header: Json & { type: string }): ItemReader {
  return Object.hasOwn(READERS, header.type) ? (READERS[header.type] as ItemReader) : BYTES;
}

const BYTES: ItemReader = { kind: "bytes", read: (header) => toFacts({ name: text(header.filename) }) };
const json = (read: (value: Json, arrivedAt: number) => ItemFacts | string): ItemReader => ({ kind: "json", read });

const READERS: Record<string, ItemReader> = {
  transaction: json((value) => {
    const trace = record(record(value.contexts).trace);
    const startedAt = parseTimestampMs(value.start_timestamp);
    const endedAt = parseTimestampMs(value.timestamp);
    if (!normalizeEventId(trace.trace_id)) return "missing_trace_id";
    if (!text(trace.span_id)) return "missing_span_id";
    if (startedAt === null || endedAt === null) return "missing_timestamp";
    if (endedAt < startedAt) return "ends_before_start";
    return toFacts({
      ...common(value),
      traceId: normalizeEventId(trace.trace_id),
      occurredAt: endedAt,
      name: text(value.transaction) ?? "<unlabeled transaction>",
    });
  }),
  span: json((value) => {
    if (Array.isArray(value.items)) {
      if (value.items.length > MAX_SPANS) return "too_many_spans";
      return toContainerFacts(value.items, (first) => ({
        occurredAt: parseTimestampMs(first.end_timestamp),
        name: text(first.name),
      }));
    }
    if (!normalizeEventId(value.trace_id) || !text(value.span_id)) return "missing_span_id";
    return toFacts({
      traceId: normalizeEventId(value.trace_id),
      occurredAt: parseTimestampMs(value.timestamp),
      name: text(value.description) ?? text(value.op),
    });
  }),
  log: json((value) =>
    Array.isArray(value.items)
      ? toContainerFacts(value.items, (first) => ({
          occurredAt: parseTimestampMs(first.timestamp),
          name: text(first.body),
        }))
      : "not_a_container",
  ),
  trace_metric: json((value) =>
    Array.isArray(value.items)
      ? toContainerFacts(value.items, (first) => ({
          occurredAt: parseTimestampMs(first.timestamp),
          name: text(first.name),
        }))
      : "not_a_container",
  ),
  session: json((value, arrivedAt) => {
    const attributes = common(record(value.attrs));
    if (attributes.release === null) return problemOfRelease(value);
    const startedAt = parseTimestampMs(value.started);
    if (startedAt === null) return "missing_started";
    if (startedAt < arrivedAt - MAX_SESSION_AGE_MS) return "session_too_old";
    if (startedAt > arrivedAt + MAX_SESSION_FUTURE_MS) return "session_in_future";
    const status = text(value.status);
    if (status !== null && !SESSION_STATUSES.has(status)) return "unknown_session_status";
    return toFacts({
      ...attributes,
      occurredAt: startedAt,
      name: text(value.status) ?? "ok",
    });
  }),
  sessions: json((value) => {
    const attributes = common(record(value.attrs));
    if (attributes.release === null) return problemOfRelease(value);
    if (!Array.isArray(value.aggregates)) return "missing_aggregates";
    const first = record(value.aggregates[0]);
    return toFacts({ ...attributes, occurredAt: parseTimestampMs(first.started) });
  }),
  check_in: json((value) => {
    if (toMonitorSlug(value.monitor_slug) === "") return "missing_monitor_slug";
    return toFacts({
      ...common(value),
      eventId: normalizeEventId(value.check_in_id),
      name: text(value.monitor_slug),
      traceId: normalizeEventId(record(record(value.contexts).trace).trace_id),
    });
  }),
  user_report: json((value) => {
    if (!text(value.comments)) return "empty_comments";
    return toFacts({ eventId: normalizeEventId(value.event_id), name: text(value.name) ?? text(value.email) });
  }),
  feedback: json((value) => {
    const feedback = record(record(value.contexts).feedback);
    const message = text(feedback.message);
    if (!message) return "empty_message";
    return toFacts({ ...common(value), occurredAt: parseTimestampMs(value.timestamp), name: message });
  }),
  client_report: json(() => toFacts({})),
  profile: json((value) => {
    if (Object.keys(record(value.profile)).length === 0 && !text(value.sampled_profile)) return "missing_profile";
    const transaction = record(value.transaction);
    return toFacts({
      ...common(value),
      eventId: normalizeEventId(value.event_id),
      traceId: normalizeEventId(transaction.trace_id),
      occurredAt: parseTimestampMs(value.timestamp),
      name: text(transaction.name),
    });
  }),
  profile_chunk: json((value) => {
    if (Object.keys(record(value.profile)).length === 0) return "missing_profile";
    return toFacts({ ...common(value), eventId: normalizeEventId(value.profiler_id), name: text(value.platform) });
  }),
  replay_event: json((value) => {
    const replayId = normalizeEventId(value.replay_id) ?? normalizeEventId(value.event_id);
    if (!replayId) return "missing_replay_id";
    return toFacts({
      ...common(value),
      eventId: replayId,
      occurredAt: parseTimestampMs(value.timestamp),
      name: `segment ${Number(value.segment_id ?? 0)}`,
    });
  }),
  replay_recording: {
    kind: "bytes",
    read: (_, payload) => toFacts({ name: toSegmentName(readRecordingSegment(payload)) }),
  },
  replay_video: {
    kind: "bytes",
    read: (_, payload) => toFacts({ name: toSegmentName(readVideoSegment(payload)) }),
  },
};

/** Sessions older than five days, or more than a minute ahead, cannot be counted any more (protocol 9). */
const MAX_SESSION_AGE_MS = 5 * 86_400_000;
const MAX_SESSION_FUTURE_MS = 60_000;
const SESSION_STATUSES = new Set(["ok", "exited", "crashed", "abnormal", "errored", "unhandled"]);

/** Spans that one container may hold (protocol 2.5). */
const MAX_SPANS = 1000;

function toFacts(facts: Partial<ItemFacts>): ItemFacts {
  return {
    quantity: 1,
    eventId: null,
    traceId: null,
    occurredAt: null,
    environment: null,
    release: null,
    name: null,
    ...facts,
  };
}

function toContainerFacts(items: unknown[], read: (first: Json) => Partial<ItemFacts>): ItemFacts | string {
  if (items.length === 0) return "empty_container";
  const first = record(items[0]);
  const attributes = record(first.attributes);
  const attribute = (name: string) => record(attributes[name]).value ?? attributes[name];
  return toFacts({
    quantity: items.length,
    traceId: normalizeEventId(first.trace_id),
    ...common({ environment: attribute("sentry.environment"), release: attribute("sentry.release") }),
    ...read(first),
  });
}

/** The rules of events (protocol 5.6): what may not be a name is none. */
function common({ environment, release }: Json): Pick<ItemFacts, "environment" | "release"> {
  const unheard = new MetaRecorder();
  return {
    environment: normalizeEnvironment(environment, unheard) ?? null,
    release: normalizeRelease(release, unheard) ?? null,
  };
}

/** Why a session without a usable release is worth nothing. */
function problemOfRelease(value: Json): string {
  const { release } = record(value.attrs);
  return release === undefined || release === null || release === "" ? "missing_release" : "invalid_release";
}

function toSegmentName(segment: number | null): string | null {
  return segment === null ? null : `segment ${segment}`;
}

function record(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** Texts of at most 200 characters; what is longer is for the payload. */
function text(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, 200).toWellFormed() : null;
}

import { z } from "zod";
import { kindOf, spanIdOf } from "../domain/traces/trace-spans.ts";
import { endOf } from "../domain/traces/trace-tree.ts";
import { listSentAttributes, type SpanDetail } from "../features/traces/get-span.server.ts";
import type { ReadTrace } from "../features/traces/read-trace.server.ts";
import type { EventRow } from "../stores/events/error-events.ts";
import type { SpanRow } from "../stores/events/spans.ts";
import { toIso } from "./answers.ts";

/** The most spans of a trace in an answer: the first ones in the order of the waterfall. */
export const MAX_SPANS = 10_000;
/** The most spans that are sent with attributes, which are most of the data of a span. A larger trace has none. */
export const MAX_SPANS_WITH_ATTRIBUTES = 1_000;

export const traceAnswer = z.array(z.looseObject({ event_id: z.string(), event_type: z.string() }));

export interface SerializedSpan {
  event_id: string;
  event_type: "span";
  span_id: string;
  parent_span_id: string | null;
  op: string;
  name: string;
  description: string;
  status: string | null;
  /** Seconds since 1970. */
  start_timestamp: number;
  end_timestamp: number;
  timestamp: number;
  /** Milliseconds. */
  duration: number;
  transaction: string;
  transaction_id: string;
  is_transaction: boolean;
  project_id: number;
  project_slug: string;
  sdk_name: string;
  profile_id: string;
  profiler_id: string;
  measurements: Record<string, number>;
  /** Attributes as they were sent. Missing if the trace has more than `MAX_SPANS_WITH_ATTRIBUTES` spans. */
  additional_attributes?: Record<string, unknown>;
  children: SerializedSpan[];
  errors: unknown[];
  occurrences: unknown[];
}

/** Roots and orphans with the spans below them, and the errors that belong to no stored span. */
export function serializeTrace(
  { tree, errors }: ReadTrace,
  {
    slugs,
    shortIds,
    rows,
  }: {
    slugs: ReadonlyMap<number, string>;
    shortIds: ReadonlyMap<number, string>;
    /** The spans as they are stored. Empty: attributes are left out. */
    rows: readonly SpanRow[];
  },
): unknown[] {
  const rowsById = new Map(rows.map((row) => [row.spanId, row]));
  const { spans, order, parents } = tree;
  const roots: SerializedSpan[] = [];
  const byIndex = new Map<number, SerializedSpan>();
  const bySpanId = new Map<string, SerializedSpan>();
  for (const index of order.subarray(0, MAX_SPANS)) {
    const { op, name, status, projectId, service } = kindOf(spans, index);
    const parentId = spans.parentIds[index] as bigint;
    const parentIndex = parents[index] as number;
    const parent = byIndex.get(parentIndex);
    const segment = parent && kindOf(spans, parentIndex).service === service ? parent : null;
    const id = spanIdOf(spans, index);
    const row = rowsById.get(id);
    const attributes = row && Object.fromEntries(listSentAttributes(row));
    const span: SerializedSpan = {
      event_id: id,
      event_type: "span",
      span_id: id,
      parent_span_id: parentId === 0n ? null : parentId.toString(16).padStart(16, "0"),
      op: op ?? "",
      name: name ?? "",
      description: name ?? "",
      status,
      start_timestamp: (spans.startedUs[index] as number) / 1e6,
      end_timestamp: endOf(spans, index) / 1e6,
      timestamp: endOf(spans, index) / 1e6,
      duration: (spans.durationUs[index] as number) / 1000,
      // The first span of a service begins a transaction of its own, as in searches of spans.
      transaction: segment?.transaction ?? name ?? "",
      transaction_id: segment?.transaction_id ?? id,
      is_transaction: segment === null,
      project_id: projectId,
      project_slug: slugs.get(projectId) ?? "",
      sdk_name: "",
      profile_id: toText(attributes?.["sentry.profile_id"]),
      profiler_id: toText(attributes?.["sentry.profiler_id"]),
      measurements: {},
      ...(attributes && { additional_attributes: attributes }),
      children: [],
      errors: [],
      occurrences: [],
    };
    (parent?.children ?? roots).push(span);
    byIndex.set(index, span);
    if (!bySpanId.has(id)) bySpanId.set(id, span);
  }
  const alone: unknown[] = [];
  for (const error of errors) {
    const span = error.spanId === null ? undefined : bySpanId.get(error.spanId);
    (span?.errors ?? alone).push(serializeError(error, { slugs, shortIds }));
  }
  return [...roots, ...alone];
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function serializeError(
  row: EventRow,
  { slugs, shortIds }: { slugs: ReadonlyMap<number, string>; shortIds: ReadonlyMap<number, string> },
) {
  return {
    event_id: row.eventId,
    event_type: "error",
    span: row.spanId ?? "",
    issue_id: row.issueId,
    issue: shortIds.get(row.issueId) ?? null,
    title: row.title,
    message: row.title,
    description: row.title,
    level: row.level,
    transaction: row.transaction ?? "",
    project_id: row.projectId,
    project_slug: slugs.get(row.projectId) ?? "",
    start_timestamp: row.occurredAt / 1000,
    timestamp: row.occurredAt / 1000,
    event_location: row.transaction ?? "",
  };
}

const count = z.int();

export const traceMetaAnswer = z.object({
  logs: count.describe("At most those that the page of a trace reads"),
  errors: count,
  performance_issues: count,
  span_count: count,
  span_count_map: z.record(z.string(), count),
  transaction_child_count_map: z.array(z.object({ "transaction.event_id": z.string().nullable(), "count()": count })),
});

export function serializeTraceMeta({ tree, errors, logs, ops }: ReadTrace): z.input<typeof traceMetaAnswer> {
  return {
    logs: logs.length,
    errors: errors.length,
    performance_issues: 0,
    span_count: tree.spans.count,
    span_count_map: Object.fromEntries(ops.map(({ op, spanCount }) => [op, spanCount])),
    transaction_child_count_map: [],
  };
}

/** A span with all of its attributes, as text. */
export function serializeSpan(span: SpanDetail) {
  const own: Array<[string, string | number | null]> = [
    ["span.op", span.op],
    ["span.description", span.name],
    ["span.status", span.status],
    ["span.duration", span.durationUs / 1000],
    ["span.self_time", span.selfUs / 1000],
    ["parent_span", span.parent?.id ?? null],
    ["project", span.project],
    ["release", span.release],
    ["environment", span.environment],
    ["sdk.name", span.sdk],
  ];
  const names = new Set(own.map(([name]) => name));
  const all = [...own, ...span.attributes.filter(([name]) => !names.has(name))];
  return {
    itemId: span.id,
    timestamp: toIso(Math.floor(span.startedUs / 1000)),
    attributes: all.flatMap(([name, value]) =>
      value === null ? [] : [{ name, type: typeof value === "number" ? "float" : "str", value }],
    ),
    meta: {},
    links: null,
  };
}

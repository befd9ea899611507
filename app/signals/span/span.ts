import { MIB } from "../../domain/bytes.ts";
import { normalizeEventId } from "../../protocol/event-id.ts";
import { parseTimestampMs } from "../../protocol/timestamps.ts";
import { type ItemSummary, type Json, summarizeContainer, toShortText, toSummary } from "../item-summary.ts";
import { defineSignal } from "../signal.ts";
import { storeBytes, storeJson } from "../stored-item.ts";

/** Spans that one container may hold (protocol 2.5). */
const MAX_SPANS = 1000;

/** 10 MiB is what one span may take; the total is ours. */
const LIMITS = {
  group: "span",
  limits: { maxItemBytes: 10 * MIB, maxTotalBytes: 25 * MIB, maxCount: 25 },
} as const;

/** By what it holds, whatever the header says. */
function summarize(value: Json): ItemSummary | string {
  if (Array.isArray(value.items)) {
    if (value.items.length > MAX_SPANS) return "too_many_spans";
    return summarizeContainer(value, (first) => ({
      occurredAt: parseTimestampMs(first.end_timestamp),
      name: toShortText(first.name),
    }));
  }
  if (!normalizeEventId(value.trace_id) || !toShortText(value.span_id)) return "missing_span_id";
  return toSummary({
    traceId: normalizeEventId(value.trace_id),
    occurredAt: parseTimestampMs(value.timestamp),
    name: toShortText(value.description) ?? toShortText(value.op),
  });
}

/** Both forms have the same type; the content type tells them apart. */
export const SPAN_CONTAINER = defineSignal({
  itemTypes: ["span"],
  matches: ({ content_type }) =>
    typeof content_type === "string" && content_type.startsWith("application/vnd.sentry.items.span"),
  category: "span",
  group: "span_container",
  limits: { maxItemBytes: 12 * MIB, maxTotalBytes: 12 * MIB, maxCount: 1 },
  isContainer: true,
  read: storeJson({ summarize }),
});

export const SPAN = defineSignal({
  itemTypes: ["span"],
  category: "span",
  ...LIMITS,
  read: storeJson({ summarize }),
});

export const OTEL_SPAN = defineSignal({ itemTypes: ["otel_span"], category: "span", ...LIMITS, read: storeBytes() });

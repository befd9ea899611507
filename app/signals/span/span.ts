import { scrubJson } from "../../digest/scrub/scrub-json.ts";
import { MIB } from "../../domain/bytes.ts";
import type { Digested } from "../digested.ts";
import type { Json } from "../item-summary.ts";
import { type ArrivedItem, defineSignal, itemQuantity, malformed } from "../signal.ts";
import { parseItemObject, storeBytes } from "../stored-item.ts";
import { readV1Span, readV2Span } from "./read-span.ts";
import { readSentTogether, toResource } from "./sent-together.ts";
import { Losses, readEach, toDigestedRows, toSpanRows } from "./span-rows.ts";
import { findShiftUs } from "./span-times.ts";

/** Spans that one container may hold (protocol 2.5). */
const MAX_SPANS = 1000;

/** 10 MiB is what one span may take; the total is ours. */
const LIMITS = {
  group: "span",
  limits: { maxItemBytes: 10 * MIB, maxTotalBytes: 25 * MIB, maxCount: 25 },
} as const;

/** By what it holds, whatever the header says. */
function readSpans(item: ArrivedItem): Digested {
  const parsed = parseItemObject(item);
  const claimed = itemQuantity(item.signal, item.header, item.payload.length);
  if (!parsed.ok) return malformed(item, parsed.reason, claimed);
  const value = scrubJson(parsed.value).value as Json;
  const sent = readSentTogether(item);
  const losses = new Losses();
  const isContainer = Array.isArray(value.items);
  const values: unknown[] = isContainer ? (value.items as unknown[]) : [value];
  if (values.length === 0) return malformed(item, "empty_container");
  if (values.length > MAX_SPANS) return malformed(item, "too_many_spans", values.length);
  const spans = readEach(values, losses, (each) => (isContainer ? readV2Span(each, sent) : readV1Span(each, sent)));
  const lastUs = spans.reduce((last, { startedUs, durationUs }) => Math.max(last, startedUs + durationUs), 0);
  const rows = toSpanRows(spans, item, {
    category: "span",
    shiftUs: findShiftUs(lastUs, item),
    resource: toResource(item, isContainer ? value : {}),
  });
  return toDigestedRows(item, { rows, environment: spans[0]?.environment ?? null, losses });
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
  read: readSpans,
});

export const SPAN = defineSignal({ itemTypes: ["span"], category: "span", ...LIMITS, read: readSpans });

/** What a proxy makes of spans of its own; nothing sends it to a server. */
export const OTEL_SPAN = defineSignal({ itemTypes: ["otel_span"], category: "span", ...LIMITS, read: storeBytes() });

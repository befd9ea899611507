import { MIB } from "../../domain/bytes.ts";
import { scrubJson } from "../../scrub/scrub-json.ts";
import type { Digested } from "../digested.ts";
import type { Json } from "../item-summary.ts";
import {
  ALWAYS_BULK,
  type ArrivedItem,
  type ConvertedItem,
  defineSignal,
  itemQuantity,
  malformed,
  type ReadContext,
} from "../signal.ts";
import { parseItemObject, storeBytes } from "../stored-item.ts";
import { readV1Span, readV2Span } from "./read-span.ts";
import { readSentTogether, toResource } from "./sent-together.ts";
import { endOf, Losses, readEach, toDigestedRows, toSpanRows } from "./span-rows.ts";
import { findShifts } from "./span-times.ts";

/** Spans that one container may hold (protocol 2.5). */
const MAX_SPANS = 1000;

/** 10 MiB is what one span may take; the total is ours. */
const LIMITS = {
  group: "span",
  limits: { maxItemBytes: 10 * MIB, maxTotalBytes: 25 * MIB, maxCount: 25 },
} as const;

/** Reads the item by its contents, whatever its header says. */
function readSpans(arrived: ArrivedItem, { scrubRulesOf }: ReadContext): Digested {
  const item = { ...arrived, signal: { ...arrived.signal, category: categoryOf(arrived) } };
  const parsed = parseItemObject(item, { keepsPrototypeKeys: true });
  const claimed = itemQuantity(item.signal, item.header, item.payload.length);
  if (!parsed.ok) return malformed(item, parsed.reason, claimed);
  const value = scrubJson(parsed.value, scrubRulesOf(item.entry.projectId)).value as Json;
  const values = listValues(value);
  if (values.length === 0) return malformed(item, "empty_container");
  if (values.length > MAX_SPANS) return malformed(item, "too_many_spans", values.length);
  const { rows, environment, losses } = readRows(value, item);
  return toDigestedRows(item, { rows, environment, losses });
}

/** Culprit's own checks are spans that no client sent. */
function categoryOf({ entry }: ArrivedItem): "span" | "uptime" {
  return entry.isCheck ? "uptime" : "span";
}

/** See `Signal.convert`. */
function convertSpans(value: Json, item: ArrivedItem): ConvertedItem | null {
  if (listValues(value).length > MAX_SPANS) return null;
  const { rows, left } = readRows(value, item);
  if (rows.length === 0) return null;
  return { rows, rest: left.length === 0 ? null : { ...value, items: left }, restQuantity: left.length };
}

/** The spans of a container, or the single span. */
function listValues(value: Json): unknown[] {
  return Array.isArray(value.items) ? value.items : [value];
}

function readRows(value: Json, item: ArrivedItem) {
  const sent = readSentTogether(item);
  const losses = new Losses();
  const isContainer = Array.isArray(value.items);
  const { spans, left } = readEach(listValues(value), losses, (each) =>
    isContainer ? readV2Span(each, sent) : readV1Span(each, sent),
  );
  const rows = toSpanRows(spans, item, {
    category: categoryOf(item),
    shiftOf: findShifts(spans.map(endOf), item),
    resource: toResource(item, isContainer ? value : {}, spans.length),
  });
  return { rows, left, environment: spans[0]?.environment ?? null, losses };
}

/** Single spans and containers have the same type. The content type tells them apart. */
export const SPAN_CONTAINER = defineSignal({
  itemTypes: ["span"],
  matches: ({ content_type }) =>
    typeof content_type === "string" && content_type.startsWith("application/vnd.sentry.items.span"),
  category: "span",
  group: "span_container",
  limits: { maxItemBytes: 12 * MIB, maxTotalBytes: 12 * MIB, maxCount: 1 },
  isContainer: true,
  isBulk: ALWAYS_BULK,
  read: readSpans,
  convert: convertSpans,
});

export const SPAN = defineSignal({
  itemTypes: ["span"],
  category: "span",
  ...LIMITS,
  isBulk: ALWAYS_BULK,
  read: readSpans,
  convert: convertSpans,
});

/** Spans in a proxy's own format. Nothing sends it to a server. */
export const OTEL_SPAN = defineSignal({
  itemTypes: ["otel_span"],
  category: "span",
  ...LIMITS,
  isBulk: ALWAYS_BULK,
  read: storeBytes(),
});

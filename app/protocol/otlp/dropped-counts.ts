type Json = Record<string, unknown>;

/** Names that OpenTelemetry gives these in other formats. */
const COUNTS = [
  ["droppedAttributesCount", "otel.dropped_attributes_count"],
  ["droppedEventsCount", "otel.dropped_events_count"],
  ["droppedLinksCount", "otel.dropped_links_count"],
] as const;

/** How much a sender's limits have left out of a span, a log, an event or a link, as attributes; nothing where that is nothing. */
export function droppedCounts(item: Json): Json {
  const counts: Json = {};
  for (const [field, key] of COUNTS) {
    const count = item[field] === undefined ? 0 : Number(item[field]);
    if (Number.isSafeInteger(count) && count > 0) counts[key] = count;
  }
  return counts;
}

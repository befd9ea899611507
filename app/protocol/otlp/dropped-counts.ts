type Json = Record<string, unknown>;

/** The names that OpenTelemetry gives these counts in other formats. */
const COUNTS = [
  ["droppedAttributesCount", "otel.dropped_attributes_count"],
  ["droppedEventsCount", "otel.dropped_events_count"],
  ["droppedLinksCount", "otel.dropped_links_count"],
] as const;

/**
 * The numbers of parts that a sender's limits removed from a span, a log, an event or a link, as attributes. Counts of zero are left out.
 */
export function droppedCounts(item: Json): Json {
  const counts: Json = {};
  for (const [field, key] of COUNTS) {
    const count = item[field] === undefined ? 0 : Number(item[field]);
    if (Number.isSafeInteger(count) && count > 0) counts[key] = count;
  }
  return counts;
}

import type { DataCategory } from "../domain/data-category.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Items of one group share their limits within an envelope. Sizes are bytes of payload after decompression: the defaults
 * of Sentry's Relay (protocol 2.5, checked 2026-08); what is not stated there says so.
 */
const LIMITS = {
  /** Event, transaction and security report exclude each other. */
  event: { maxItemBytes: 1 * MIB, maxTotalBytes: 1 * MIB, maxCount: 1 },
  /** One: a second would have the same id. */
  feedback: { maxItemBytes: 1 * MIB, maxTotalBytes: 1 * MIB, maxCount: 1 },
  attachment: { maxItemBytes: 200 * MIB, maxTotalBytes: 200 * MIB, maxCount: 30 },
  session: { maxItemBytes: 10 * MIB, maxTotalBytes: 10 * MIB, maxCount: 100 },
  client_report: { maxItemBytes: 100 * KIB, maxTotalBytes: 100 * KIB, maxCount: 100 },
  check_in: { maxItemBytes: 100 * KIB, maxTotalBytes: 100 * KIB, maxCount: 1 },
  profile: { maxItemBytes: 50 * MIB, maxTotalBytes: 50 * MIB, maxCount: 1 },
  profile_chunk: { maxItemBytes: 50 * MIB, maxTotalBytes: 50 * MIB, maxCount: 1 },
  log: { maxItemBytes: 12 * MIB, maxTotalBytes: 12 * MIB, maxCount: 1 },
  trace_metric: { maxItemBytes: 12 * MIB, maxTotalBytes: 12 * MIB, maxCount: 1 },
  span_container: { maxItemBytes: 12 * MIB, maxTotalBytes: 12 * MIB, maxCount: 1 },
  /** 10 MiB is what one span may take; the total is ours. */
  span: { maxItemBytes: 10 * MIB, maxTotalBytes: 25 * MIB, maxCount: 25 },
  replay_event: { maxItemBytes: 1 * MIB, maxTotalBytes: 1 * MIB, maxCount: 1 },
  replay_recording: { maxItemBytes: 10 * MIB, maxTotalBytes: 10 * MIB, maxCount: 1 },
  replay_video: { maxItemBytes: 15 * MIB, maxTotalBytes: 15 * MIB, maxCount: 1 },
  /** The count is ours: SDKs that still send metrics batch them into one item. */
  metric: { maxItemBytes: 1 * MIB, maxTotalBytes: 10 * MIB, maxCount: 100 },
  /** Ours: enough to keep what a newer SDK sends until we know the type. */
  unknown: { maxItemBytes: 1 * MIB, maxTotalBytes: 10 * MIB, maxCount: 100 },
} as const satisfies Record<string, ItemLimits>;

export interface ItemLimits {
  maxItemBytes: number;
  /** All items of the group in one envelope together. */
  maxTotalBytes: number;
  maxCount: number;
}

export type LimitGroup = keyof typeof LIMITS;

export interface ItemType {
  /** Its row in the loss ledger, and what a rate limit on it is called. */
  category: DataCategory;
  group: LimitGroup;
  limits: ItemLimits;
  /** At most one of these per envelope; a request whose event is refused is refused. */
  isEventLike: boolean;
  /** Worth nothing without the event of the same envelope, when there is one. */
  dependsOnEvent: boolean;
  /** Whether its envelope has an event id, which is then given out when the sender gave none. */
  hasEventId: boolean;
  /** Whether one item holds many of what its category counts, `item_count` of them. */
  isContainer: boolean;
}

function itemType(category: DataCategory, group: LimitGroup, traits: Partial<ItemType> = {}): ItemType {
  return {
    category,
    group,
    limits: LIMITS[group],
    isEventLike: group === "event",
    dependsOnEvent: false,
    hasEventId: group === "event",
    isContainer: false,
    ...traits,
  };
}

const SPAN_CONTAINER = itemType("span", "span_container", { isContainer: true });
const UNKNOWN = itemType("unknown", "unknown");

/** A map, so that a type called `constructor` is as unknown as any other. */
const ITEM_TYPES: ReadonlyMap<string, ItemType> = new Map([
  ["event", itemType("error", "event")],
  ["transaction", itemType("transaction", "event")],
  ["security", itemType("security", "event")],
  ["raw_security", itemType("security", "event")],
  ["feedback", itemType("feedback", "feedback", { hasEventId: true })],
  [
    "user_report",
    itemType("default", "attachment", { hasEventId: true, limits: { ...LIMITS.attachment, maxItemBytes: 1 * MIB } }),
  ],
  ["attachment", itemType("attachment", "attachment", { dependsOnEvent: true, hasEventId: true })],
  ["session", itemType("session", "session")],
  ["sessions", itemType("session", "session")],
  ["client_report", itemType("internal", "client_report")],
  ["check_in", itemType("monitor", "check_in")],
  ["profile", itemType("profile", "profile", { dependsOnEvent: true })],
  ["profile_chunk", itemType("profile_chunk", "profile_chunk")],
  ["log", itemType("log_item", "log", { isContainer: true })],
  ["otel_log", itemType("log_item", "log")],
  ["trace_metric", itemType("trace_metric", "trace_metric", { isContainer: true })],
  ["span", itemType("span", "span")],
  ["otel_span", itemType("span", "span")],
  ["replay_event", itemType("replay", "replay_event", { hasEventId: true })],
  ["replay_recording", itemType("replay", "replay_recording", { hasEventId: true })],
  ["replay_video", itemType("replay", "replay_video", { hasEventId: true })],
  ["statsd", itemType("metric_bucket", "metric")],
  ["metric_buckets", itemType("metric_bucket", "metric")],
  ["metric_meta", itemType("metric_bucket", "metric")],
]);

/** What an item is, from its header alone. Both forms of `span` have the type; the content type tells them apart. */
export function findItemType(header: Record<string, unknown> & { type: string }): ItemType {
  const found = ITEM_TYPES.get(header.type) ?? UNKNOWN;
  if (header.type === "span" && isSpanContainer(header.content_type)) return SPAN_CONTAINER;
  return found;
}

function isSpanContainer(contentType: unknown): boolean {
  return typeof contentType === "string" && contentType.startsWith("application/vnd.sentry.items.span");
}

/**
 * How many of its category an item counts as where its payload is not read: `item_count` of containers, within what the
 * payload could hold at 16 bytes each, and one for everything else.
 */
export function itemQuantity(type: ItemType, header: Record<string, unknown>, payloadBytes: number): number {
  if (!type.isContainer) return 1;
  const claimed = header.item_count;
  if (typeof claimed !== "number" || !Number.isInteger(claimed) || claimed < 1) return 1;
  return Math.max(1, Math.min(claimed, Math.floor(payloadBytes / 16)));
}

import type { DataCategory } from "../domain/data-category.ts";
import type { Outcome, OutcomeCount } from "../domain/outcome.ts";
import type { EnvelopeItem } from "../protocol/parse-envelope.ts";
import type { RateLimit } from "../protocol/rate-limits.ts";
import { findSignal } from "../signals/registry.ts";
import { itemQuantity, type Signal } from "../signals/signal.ts";

/** The items of an envelope that may pass, and the counts of those that may not. */
export interface Admission {
  /** In the order of the envelope. If nothing was dropped, it is the same list that was given. */
  kept: readonly EnvelopeItem[];
  /** Merged by category, outcome and reason. */
  dropped: DroppedItems[];
  /** The event was larger than events may be, so the answer is 413. Names the limit; null: it was not too large. */
  oversizeEvent: string | null;
  /** The rate limits that stopped items, without repeats. */
  limits: RateLimit[];
}

export type DroppedItems = Omit<OutcomeCount, "projectId" | "receivedAt">;

/** Called once for each item that counts. Null: the item passes and was counted. Otherwise returns the limit that stops it. */
export type TakeQuota = (category: DataCategory, amount: { items: number; bytes: number }) => RateLimit | null;

/** The reason why an item was refused. Items that depend on it are refused for the same reason. */
interface Verdict {
  outcome: Outcome;
  reason: string;
}

const PASSED = null;

/**
 * Checks the items against the limits of size and number (protocol 2.5, 2.6), then against rate limits and quotas (2.8). Client reports
 * always pass, because they count other losses.
 */
export function admitItems(items: readonly EnvelopeItem[], takeQuota: TakeQuota): Admission {
  const admission: Admission = { kept: items, dropped: [], oversizeEvent: null, limits: [] };
  const first = items[0];
  if (items.length === 1 && first) {
    // The envelope that nearly everybody sends: nothing to add up.
    const type = findSignal(first.header);
    const verdict = judge(first, type, { count: 0, bytes: 0 }, takeQuota, admission);
    if (verdict !== PASSED) {
      drop(admission, first, type, verdict);
      admission.kept = [];
    }
    return admission;
  }
  return admitMany(items, takeQuota, admission);
}

function admitMany(items: readonly EnvelopeItem[], takeQuota: TakeQuota, admission: Admission): Admission {
  const types = items.map((item) => findSignal(item.header));
  const used = new Map<string, Usage>();
  const verdicts = new Map<number, Verdict>();
  let lostEvent: Verdict | null = null;
  let hasEvent = false;
  let lostReplay: Verdict | null = null;

  const judgeAt = (at: number): Verdict | null => {
    const item = items[at];
    const type = types[at];
    if (!item || !type) return PASSED;
    let usage = used.get(type.group);
    if (!usage) {
      usage = { count: 0, bytes: 0 };
      used.set(type.group, usage);
    }
    const verdict = judge(item, type, usage, takeQuota, admission);
    if (verdict !== PASSED) verdicts.set(at, verdict);
    return verdict;
  };

  // The event comes first, wherever it stands in the envelope: other items depend on it.
  for (let at = 0; at < items.length; at++) {
    if (!isEvent(types[at])) continue;
    const verdict = judgeAt(at);
    if (verdict === PASSED) hasEvent = true;
    else lostEvent ??= verdict;
  }
  for (let at = 0; at < items.length; at++) {
    const type = types[at];
    if (!type || isEvent(type)) continue;
    if (type.dependsOnEvent && lostEvent !== null && !hasEvent) verdicts.set(at, lostEvent);
    else {
      const verdict = judgeAt(at);
      if (verdict !== PASSED && type.category === "replay") lostReplay ??= verdict;
    }
  }
  if (lostReplay !== null) {
    // One half of a replay segment is useless without the other.
    for (let at = 0; at < items.length; at++) {
      if (types[at]?.category === "replay" && !verdicts.has(at)) verdicts.set(at, lostReplay);
    }
  }
  if (verdicts.size === 0) return admission;

  for (const [at, verdict] of verdicts) {
    const item = items[at];
    const type = types[at];
    if (item && type) drop(admission, item, type, verdict);
  }
  admission.kept = items.filter((_, at) => !verdicts.has(at));
  return admission;
}

interface Usage {
  count: number;
  bytes: number;
}

function judge(
  item: EnvelopeItem,
  type: Signal,
  usage: Usage,
  takeQuota: TakeQuota,
  admission: Admission,
): Verdict | null {
  const bytes = item.payload.length;
  const { maxItemBytes, maxTotalBytes, maxCount } = type.limits;
  if (usage.count >= maxCount) {
    if (type.isEventLike) return { outcome: "malformed", reason: "second_event" };
    return { outcome: "too_large", reason: `${type.group}_count` };
  }
  if (bytes > maxItemBytes) {
    if (isEvent(type)) {
      admission.oversizeEvent ??= `the ${item.header.type} is larger than ${maxItemBytes} bytes`;
      // It was the event of this envelope all the same: no other takes its place.
      usage.count++;
    }
    return { outcome: "too_large", reason: `${type.group}_bytes` };
  }
  if (usage.bytes + bytes > maxTotalBytes) return { outcome: "too_large", reason: `${type.group}_total_bytes` };
  if (type.category !== "internal") {
    const limit = takeQuota(type.category, { items: itemQuantity(type, item.header, bytes), bytes });
    if (limit !== null) {
      noteLimit(admission.limits, limit);
      return { outcome: "rate_limited", reason: limit.reasonCode };
    }
  }
  usage.count++;
  usage.bytes += bytes;
  return PASSED;
}

function noteLimit(limits: RateLimit[], limit: RateLimit): void {
  const isKnown = limits.some(
    ({ reasonCode, categories }) => reasonCode === limit.reasonCode && categories[0] === limit.categories[0],
  );
  if (!isKnown) limits.push(limit);
}

function isEvent(type: Signal | undefined): boolean {
  return type?.isMainItem === true;
}

function drop(admission: Admission, item: EnvelopeItem, type: Signal, { outcome, reason }: Verdict): void {
  const quantity = itemQuantity(type, item.header, item.payload.length);
  const category: DataCategory = type.category;
  const same = admission.dropped.find(
    (sum) => sum.category === category && sum.outcome === outcome && sum.reason === reason,
  );
  if (same) same.quantity += quantity;
  else admission.dropped.push({ category, outcome, reason, quantity });
}

import type { DataCategory } from "../domain/data-category.ts";
import type { Outcome, OutcomeCount } from "../domain/outcome.ts";
import type { EnvelopeItem } from "../protocol/parse-envelope.ts";
import { findSignal } from "../signals/registry.ts";
import { itemQuantity, type Signal } from "../signals/signal.ts";

/** Which items of an envelope may pass, and what becomes of the others. */
export interface Admission {
  /** In their order; the very list that was given when nothing was dropped. */
  kept: readonly EnvelopeItem[];
  /** Merged by category, outcome and reason. */
  dropped: DroppedItems[];
  /** The event was larger than events may be: the request is answered 413. Names the limit. */
  oversizeEvent: string | null;
  /** Seconds until the key may send again; null when no item was held back by its limit. */
  retryAfterSeconds: number | null;
}

export type DroppedItems = Omit<OutcomeCount, "projectId" | "receivedAt">;

/** Asked once per item that counts: zero lets it pass, else the seconds until the key's window ends. */
export type TakeQuota = (quantity: number) => number;

/** What refused one item; items that are worth nothing without it share its fate. */
interface Verdict {
  outcome: Outcome;
  reason: string;
}

const PASSED = null;

/**
 * Holds the items against the limits of size and number (protocol 2.5, 2.6), then against the key's rate limit (2.8).
 * Client reports pass the rate limit always: they say what else was lost.
 */
export function admitItems(items: readonly EnvelopeItem[], takeQuota: TakeQuota): Admission {
  const admission: Admission = { kept: items, dropped: [], oversizeEvent: null, retryAfterSeconds: null };
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

  // The event first, wherever it stands: others depend on it.
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
    // The two halves of a replay segment are of no use without each other.
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
    const seconds = takeQuota(itemQuantity(type, item.header, bytes));
    if (seconds > 0) {
      admission.retryAfterSeconds = Math.max(admission.retryAfterSeconds ?? 0, seconds);
      return { outcome: "rate_limited", reason: "key_quota" };
    }
  }
  usage.count++;
  usage.bytes += bytes;
  return PASSED;
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

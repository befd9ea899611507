import { isRecord } from "../domain/is-record.ts";
import type { Outcome } from "../domain/outcome.ts";

/** A number of items that never arrived, as the SDK reports it. */
export interface DiscardedItems {
  outcome: Extract<Outcome, "client_discard" | "rate_limited" | "filtered">;
  /** At most 64 characters, as sent. `unknown` when empty. */
  category: string;
  reason: string;
  /** A whole number, at least 1. */
  quantity: number;
}

/** `discarded_events` is what SDKs send; proxies add the others, in the same shape (protocol 2.10). */
const LISTS = [
  ["discarded_events", "client_discard"],
  ["rate_limited_events", "rate_limited"],
  ["filtered_events", "filtered"],
  ["filtered_sampling_events", "filtered"],
] as const;

/** Reasons times categories that SDKs know make about 250. */
const MAX_ENTRIES = 500;
const MAX_TOKEN_CHARS = 64;
/** A report with a higher count is a mistake, or an attack on the sums. */
const MAX_QUANTITY = 1e9;

/**
 * Reads the JSON of a client report item: an entry per outcome, category and reason. Leaves out what it does not understand, and what is
 * more than a report may hold. Never throws.
 */
export function parseClientReport(json: unknown): DiscardedItems[] {
  if (!isRecord(json)) return [];
  const sums = new Map<string, DiscardedItems>();
  let seenCount = 0;
  for (const [field, outcome] of LISTS) {
    const list = json[field];
    if (!Array.isArray(list)) continue;
    for (const entry of list) {
      const items = ++seenCount > MAX_ENTRIES ? null : parseEntry(entry, outcome);
      if (items === null) continue;
      const key = JSON.stringify([outcome, items.category, items.reason]);
      const sum = sums.get(key);
      if (sum) sum.quantity = Math.min(sum.quantity + items.quantity, MAX_QUANTITY);
      else sums.set(key, items);
    }
  }
  return [...sums.values()];
}

function parseEntry(entry: unknown, outcome: DiscardedItems["outcome"]): DiscardedItems | null {
  if (!isRecord(entry)) return null;
  const quantity = typeof entry.quantity === "string" ? Number(entry.quantity) : entry.quantity;
  if (typeof quantity !== "number" || !(quantity >= 1)) return null;
  return {
    outcome,
    category: toToken(entry.category),
    reason: toToken(entry.reason),
    quantity: Math.min(Math.floor(quantity), MAX_QUANTITY),
  };
}

function toToken(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return "unknown";
  // A store would return half a surrogate pair as another text, which would then be counted separately.
  return String(value).trim().slice(0, MAX_TOKEN_CHARS).toWellFormed() || "unknown";
}

import type { DataCategory } from "../../domain/data-category.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { OutcomeSum } from "../../stores/state/outcome-store.ts";
import { toReasonWords } from "../arrived/outcome-words.ts";
import type { LaneReason, LaneState } from "./timeline.ts";

/** Figures of the ledger for the hours around the error, in the projects of its trace. */
export type LedgerSums = readonly Pick<OutcomeSum, "outcome" | "reason" | "category" | "projectId" | "quantity">[];

/** Outcomes that lose nothing. A duplicate is already stored, and deletions by people are not mentioned. */
const NO_LOSS = new Set(["accepted", "deleted", "duplicate"]);

/**
 * Reasons that are no loss of what a reader looks for. Sampling has a sentence of its own. A span without a parent would be in no trace:
 * SDKs leave out requests that nothing of a trace has made.
 */
const NOT_MISSING = new Set(["sample_rate", "no_parent_span"]);

export interface WhyMissing {
  /** A word for the items of the lane: `log line`. */
  thing: string;
  categories: readonly DataCategory[];
  ledger: LedgerSums;
  projectId: number;
  projectSlug: string;
  /** Milliseconds since 1970. */
  occurredAt: number;
  keptDays: number;
  now: number;
  option: string | null;
  /** The sentence for the case that other items of the kind arrived at that time. */
  nothing: string;
}

/** Why there is nothing of a kind: the first reason that is known to apply. */
export function explainMissing(why: WhyMissing): Exclude<LaneState, { kind: "present" }> {
  const { thing, ledger, projectId, option } = why;
  if (why.now - why.occurredAt > why.keptDays * DAY_MS)
    return { kind: "expired", words: `Expired: ${thing}s are kept for ${toDays(why.keptDays)}.` };
  const own = ledger.filter(
    (sum) => sum.projectId === projectId && why.categories.includes(sum.category as DataCategory),
  );
  const accepted = sumOf(own.filter(({ outcome }) => outcome === "accepted"));
  const sampled = sumOf(own.filter(({ reason }) => reason === "sample_rate"));
  if (sampled > 0)
    return {
      kind: "sampled-out",
      words: `Sampled out: in this hour the SDK kept ${accepted.toLocaleString("en")} of ${(accepted + sampled).toLocaleString("en")}.`,
      href: toLedgerPath(why),
    };
  const loss = describeLoss(why);
  if (loss) return { kind: "dropped", ...loss };
  if (accepted > 0) return { kind: "nothing", words: why.nothing };
  return option === null ? { kind: "not-sent", words: "None came." } : { kind: "not-sent", words: "", option };
}

/** What was lost of a kind in the same hours, with the largest part named. Null: nothing. */
export function describeLoss(
  why: Pick<WhyMissing, "thing" | "categories" | "ledger" | "projectId" | "projectSlug">,
): LaneReason | null {
  const lost = why.ledger.filter(
    ({ projectId, category, outcome, reason }) =>
      projectId === why.projectId &&
      why.categories.includes(category as DataCategory) &&
      !NO_LOSS.has(outcome ?? "") &&
      !NOT_MISSING.has(reason ?? ""),
  );
  const quantity = sumOf(lost);
  if (quantity === 0) return null;
  const largest = lost.reduce((most, sum) => (sum.quantity > most.quantity ? sum : most));
  return {
    words: `${quantity === 1 ? `1 ${why.thing}` : `${quantity.toLocaleString("en")} ${why.thing}s`} of this hour dropped: ${LOST_BY[largest.outcome ?? ""] ?? "refused"}${largest.reason ? ` (${toInnerWords(toReasonWords(largest.reason))})` : ""}.`,
    href: toLedgerPath(why),
  };
}

const LOST_BY: Readonly<Record<string, string>> = {
  filtered: "a filter",
  rate_limited: "a rate limit",
  too_large: "too large",
  malformed: "malformed",
  unsupported: "not supported",
  client_discard: "the SDK",
  damaged: "damaged",
};

function sumOf(sums: ReadonlyArray<{ quantity: number }>): number {
  return sums.reduce((sum, { quantity }) => sum + quantity, 0);
}

function toLedgerPath({ projectSlug, categories }: Pick<WhyMissing, "projectSlug" | "categories">): string {
  const search = new URLSearchParams({ project: projectSlug });
  if (categories.length === 1) search.set("category", categories[0] as string);
  return `/arrived?${search}`;
}

export function toDays(days: number): string {
  return days === 1 ? "one day" : `${days} days`;
}

/** Turns the beginning of a sentence into words for the middle of one. */
function toInnerWords(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

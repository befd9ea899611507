import { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import type { Outcome } from "../domain/outcome.ts";
import { DAY_MS, HOUR_MS } from "../domain/time.ts";
import type { OutcomeSum } from "../stores/state/outcome-store.ts";
import { refusal, toIso } from "./answers.ts";
import { list, period, TIME_RANGE, toProjectScope, toTimeRange } from "./query.ts";

/** More buckets than a graph can show. */
const MAX_BUCKETS = 10_000;

/** The words of Sentry's statistics for the ledger's outcomes. Several outcomes share a word; the reason tells them apart. */
export const API_OUTCOME = {
  accepted: "accepted",
  // Such an event was accepted, and Sentry's statistics have no other word for it.
  deleted: "accepted",
  // Only a row is left of such an event.
  damaged: "invalid",
  filtered: "filtered",
  rate_limited: "rate_limited",
  client_discard: "client_discard",
  duplicate: "invalid",
  too_large: "invalid",
  malformed: "invalid",
  unsupported: "invalid",
} satisfies Record<Outcome, string>;

const GROUPS = ["outcome", "reason", "category", "project"] as const;
type Group = (typeof GROUPS)[number];

/** Outcomes that may be asked for. The last two are known to Sentry and never happen in Culprit: they have no sums, but are no error. */
const OUTCOMES = [...new Set(Object.values(API_OUTCOME)), "abuse", "cardinality_limited"];

/** The parameters `interval` and time range. */
export const BUCKETS = {
  interval: period.optional().describe("Like `1h` or `1d`; rounded up to whole hours"),
  ...TIME_RANGE,
};
const bucketsQuery = z.object(BUCKETS);

export const statsQuery = z.object({
  field: z
    .array(z.literal("sum(quantity)", "must be sum(quantity)"), "is required, like sum(quantity)")
    .describe("`sum(quantity)`"),
  groupBy: z.array(z.enum(GROUPS)).default([]).describe("Repeatable"),
  ...BUCKETS,
  project: z
    .array(z.string().regex(/^(-1|\d{1,15})$/, "must be a number, or -1 for all"))
    .default([])
    .describe("Number, repeatable; -1 for all"),
  outcome: z.array(z.enum(OUTCOMES)).default([]).describe("Repeatable"),
  category: list.describe("Repeatable"),
  reason: list.describe("Repeatable"),
});

/**
 * Sentry's `stats_v2`: sums of `quantity` from the loss ledger. The interval is rounded up to whole hours, the ledger's
 * grain, and the range to whole intervals.
 * @throws a 400 answer that names the parameter.
 */
export async function getStats(workspace: Workspace, query: z.output<typeof statsQuery>, now: number) {
  const { state } = workspace;
  const { groupBy, outcome, category, reason } = query;
  const { from, to, intervalMs, bucketCount } = toBuckets(query, now);
  const sums = await state.outcomes.sumOutcomes(await toProjectScope(workspace, query), {
    from,
    to,
    bucketMs: intervalMs,
    groupBy,
    ...(outcome.length > 0 ? { outcomes: toOutcomes(outcome) } : {}),
    ...(category.length > 0 ? { categories: category } : {}),
    ...(reason.length > 0 ? { reasons: reason } : {}),
  });
  return {
    start: toIso(from),
    end: toIso(to),
    intervals: Array.from({ length: bucketCount }, (_, index) => toIso(from + index * intervalMs)),
    groups: toGroups(sums, { groupBy, from, intervalMs, bucketCount }),
  };
}

/** The requested range as whole intervals, in multiples of `unitMs`. @throws a 400 answer if there are too many. */
export function toBuckets(
  query: z.output<typeof bucketsQuery>,
  now: number,
  { unitMs = HOUR_MS, maxBuckets = MAX_BUCKETS } = {},
): { from: number; to: number; intervalMs: number; bucketCount: number } {
  const intervalMs = Math.ceil((query.interval ?? HOUR_MS) / unitMs) * unitMs;
  const range = toTimeRange(query, { now, fallbackMs: DAY_MS });
  const from = Math.floor(range.from / intervalMs) * intervalMs;
  const to = Math.ceil(range.to / intervalMs) * intervalMs;
  const bucketCount = (to - from) / intervalMs;
  if (bucketCount > maxBuckets)
    throw refusal(400, `interval: the range has ${bucketCount} of them, ${maxBuckets} are allowed`);
  return { from, to, intervalMs, bucketCount };
}

function toGroups(
  sums: OutcomeSum[],
  {
    groupBy,
    from,
    intervalMs,
    bucketCount,
  }: { groupBy: Group[]; from: number; intervalMs: number; bucketCount: number },
) {
  const groups = new Map<string, { by: Record<string, string | number>; total: number; series: number[] }>();
  for (const sum of sums) {
    const by: Record<string, string | number> = {};
    for (const group of groupBy) by[group] = toApiValue(sum, group);
    const key = JSON.stringify(by);
    let group = groups.get(key);
    if (!group) {
      group = { by, total: 0, series: new Array<number>(bucketCount).fill(0) };
      groups.set(key, group);
    }
    const index = Math.floor((sum.at - from) / intervalMs);
    group.total += sum.quantity;
    group.series[index] = (group.series[index] ?? 0) + sum.quantity;
  }
  return [...groups.values()].map(({ by, total, series }) => ({
    by,
    totals: { "sum(quantity)": total },
    series: { "sum(quantity)": series },
  }));
}

function toApiValue(sum: OutcomeSum, group: Group): string | number {
  switch (group) {
    case "outcome":
      return sum.outcome ? API_OUTCOME[sum.outcome] : "";
    case "reason":
      // Within `invalid` the ledger's own bucket is the reason, made finer by what it recorded.
      return sum.reason || "none";
    case "category":
      return sum.category ?? "";
    case "project":
      return sum.projectId ?? 0;
  }
}

/** The ledger's outcomes that have one of these words. */
export function toOutcomes(wanted: readonly string[]): Outcome[] {
  return (Object.keys(API_OUTCOME) as Outcome[]).filter((outcome) => wanted.includes(API_OUTCOME[outcome]));
}

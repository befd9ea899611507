import type { Outcome } from "../../domain/outcome.ts";
import type { OutcomeSum } from "../../stores/state/outcome-store.ts";
import type { State } from "../../stores/state/state.ts";
import { refusal } from "./answers.server.ts";
import { parsePeriod, readTimeRange } from "./time-range.server.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** More buckets than a graph can show. */
const MAX_BUCKETS = 10_000;

/** The ledger's buckets in the words of Sentry's statistics; the reason keeps them apart. */
export const API_OUTCOME = {
  accepted: "accepted",
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

/**
 * Sentry's `stats_v2`: sums of `quantity` from the loss ledger. `interval` is rounded up to whole hours, the ledger's
 * grain, and the range to whole intervals.
 * @throws a 400 answer that names the parameter.
 */
export async function getStatsV2(state: State, url: URL, now: number) {
  const fields = url.searchParams.getAll("field");
  if (fields.length === 0) throw refusal(400, 'At least one "field" is required, like sum(quantity)');
  for (const field of fields) {
    if (field !== "sum(quantity)") throw refusal(400, `field "${field.slice(0, 40)}" is not known: sum(quantity) is`);
  }
  const groupBy = url.searchParams.getAll("groupBy").map(requireGroup);
  const intervalMs = readInterval(url);
  const range = readTimeRange(url, now, DAY_MS);
  const from = Math.floor(range.from / intervalMs) * intervalMs;
  const to = Math.ceil(range.to / intervalMs) * intervalMs;
  const bucketCount = (to - from) / intervalMs;
  if (bucketCount > MAX_BUCKETS)
    throw refusal(400, `the range has ${bucketCount} intervals, ${MAX_BUCKETS} are allowed: use a longer interval`);
  const wantedOutcomes = new Set(url.searchParams.getAll("outcome"));
  const sums = await state.outcomes.sumOutcomes({
    projectIds: readProjectIds(url),
    from,
    to,
    bucketMs: intervalMs,
    groupBy,
    ...(wantedOutcomes.size > 0 ? { outcomes: toOutcomes(wantedOutcomes) } : {}),
    ...readList(url, "category", "categories"),
    ...readList(url, "reason", "reasons"),
  });
  return {
    start: new Date(from).toISOString(),
    end: new Date(to).toISOString(),
    intervals: Array.from({ length: bucketCount }, (_, index) => new Date(from + index * intervalMs).toISOString()),
    groups: toGroups(sums, { groupBy, from, intervalMs, bucketCount }),
  };
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

function toOutcomes(wanted: Set<string>): Outcome[] {
  const known = new Set<string>(Object.values(API_OUTCOME));
  for (const name of wanted) {
    // What Sentry knows and Culprit never produces has no sums, which is an answer and not a mistake.
    if (!known.has(name) && !["abuse", "cardinality_limited"].includes(name))
      throw refusal(400, `outcome "${name.slice(0, 40)}" is not known`);
  }
  return (Object.keys(API_OUTCOME) as Outcome[]).filter((outcome) => wanted.has(API_OUTCOME[outcome]));
}

function requireGroup(name: string): Group {
  const group = GROUPS.find((candidate) => candidate === name);
  if (!group) throw refusal(400, `groupBy "${name.slice(0, 40)}" is not known: ${GROUPS.join(", ")} are`);
  return group;
}

function readInterval(url: URL): number {
  const text = url.searchParams.get("interval");
  if (!text) return HOUR_MS;
  const intervalMs = parsePeriod(text);
  if (!intervalMs) throw refusal(400, `interval must be like 1h or 1d, not "${text.slice(0, 40)}"`);
  return Math.ceil(intervalMs / HOUR_MS) * HOUR_MS;
}

function readProjectIds(url: URL): number[] | null {
  const texts = url.searchParams.getAll("project").filter((text) => text !== "" && text !== "-1");
  if (texts.length === 0) return null;
  return texts.map((text) => {
    if (!/^\d{1,15}$/.test(text))
      throw refusal(400, `project must be a number or -1 for all, not "${text.slice(0, 40)}"`);
    return Number(text);
  });
}

function readList<Key extends "categories" | "reasons">(
  url: URL,
  parameter: string,
  key: Key,
): Partial<Record<Key, string[]>> {
  const values = url.searchParams.getAll(parameter).filter((value) => value !== "");
  return values.length > 0 ? ({ [key]: values } as Partial<Record<Key, string[]>>) : {};
}

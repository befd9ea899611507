import type { Workspace } from "../../access/workspace.ts";
import { readConditionId } from "../../domain/filters/filter-reason.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { isInBytes, OUTCOMES } from "../../domain/outcome.ts";
import { narrowScope } from "../../domain/scope.ts";
import type { ExpiredSum } from "../../stores/state/outcome-store.ts";
import type { ArrivedRange } from "./arrived-range.ts";

export interface ArrivedRow {
  outcome: Outcome;
  reason: string;
  category: string;
  /** The name of the project's own filter that took the items. Null: it was something else, or the filter does not exist any more. */
  filterName: string | null;
  /** The number of items. If `isInBytes` is true for the category: bytes. */
  quantity: number;
}

export interface ArrivedProject {
  projectId: number;
  stored: number;
  /** Items with any outcome but stored. */
  notStored: number;
}

export interface Arrived {
  from: number;
  to: number;
  bucketMs: number;
  /** The sum of all outcomes: everything that arrived, and what SDKs report as dropped before sending. */
  total: number;
  byOutcome: Record<Outcome, number>;
  /** Largest first. The quantities add up to `total`, if those in bytes are left out. */
  rows: ArrivedRow[];
  /** The projects to which items came. */
  projects: ArrivedProject[];
  /** Items that were accepted earlier and deleted in the range. They are not part of the above. */
  expired: ExpiredSum[];
  /** For each bucket of time, oldest first, the quantity per outcome. */
  series: Array<{ at: number; counts: Partial<Record<Outcome, number>> }>;
  /** Deploys that finished in the range, oldest first. */
  deploys: Array<{ at: number; environment: string; version: string }>;
}

/** Reads the loss ledger over a range: the outcome of every item. */
export async function getArrived(
  workspace: Workspace,
  query: { projectIds: readonly number[]; category: string | null; range: ArrivedRange },
): Promise<Arrived> {
  const { state, scope } = workspace;
  const { from, to, bucketMs } = query.range;
  const chosen = narrowScope(scope, query.projectIds);
  const filter = {
    from,
    to,
    ...(query.category ? { categories: [query.category] } : {}),
  };
  const [only, ...others] = query.projectIds;
  const [sums, series, deploys, expired, rules] = await Promise.all([
    state.outcomes.sumOutcomes(chosen, {
      ...filter,
      bucketMs: null,
      groupBy: ["outcome", "reason", "category", "project"],
    }),
    state.outcomes.sumOutcomes(chosen, { ...filter, bucketMs, groupBy: ["outcome", "category"] }),
    state.releases.listDeploysBetween(chosen, from, to),
    state.outcomes.sumExpired(chosen, filter),
    only !== undefined && others.length === 0 ? state.rules.getRules(scope, only) : null,
  ]);
  const nameOf = (reason: string) =>
    rules?.filters.conditions.find(({ id }) => id === readConditionId(reason))?.name ?? null;
  const byOutcome = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  const rows = new Map<string, ArrivedRow>();
  const projects = new Map<number, ArrivedProject>();
  for (const { outcome, reason = "", category = "", projectId = 0, quantity } of sums) {
    if (outcome === undefined) continue;
    const key = `${outcome} ${reason} ${category}`;
    const row = rows.get(key);
    if (row) row.quantity += quantity;
    else rows.set(key, { outcome, reason, category, filterName: nameOf(reason), quantity });
    if (isInBytes(category)) continue;
    byOutcome[outcome] += quantity;
    const project = projects.get(projectId) ?? { projectId, stored: 0, notStored: 0 };
    project[outcome === "accepted" ? "stored" : "notStored"] += quantity;
    projects.set(projectId, project);
  }
  const buckets = Array.from({ length: Math.round((to - from) / bucketMs) }, (_, index) => ({
    at: from + index * bucketMs,
    counts: {} as Partial<Record<Outcome, number>>,
  }));
  for (const sum of series) {
    const bucket = buckets[Math.floor((sum.at - from) / bucketMs)];
    if (bucket && sum.outcome && !isInBytes(sum.category ?? ""))
      bucket.counts[sum.outcome] = (bucket.counts[sum.outcome] ?? 0) + sum.quantity;
  }
  return {
    from,
    to,
    bucketMs,
    total: Object.values(byOutcome).reduce((sum, quantity) => sum + quantity, 0),
    byOutcome,
    rows: [...rows.values()].sort((a, b) => b.quantity - a.quantity),
    projects: [...projects.values()],
    expired,
    series: buckets,
    deploys: deploys.map(({ finishedAt, environment, version }) => ({ at: finishedAt, environment, version })),
  };
}

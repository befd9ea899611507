import type { Workspace } from "../../access/workspace.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { OUTCOMES } from "../../domain/outcome.ts";
import { narrowScope } from "../../domain/scope.ts";
import type { ExpiredSum } from "../../stores/state/outcome-store.ts";
import type { ArrivedRange } from "./arrived-range.ts";

export interface ArrivedRow {
  outcome: Outcome;
  reason: string;
  category: string;
  projectId: number;
  quantity: number;
}

export interface Arrived {
  from: number;
  to: number;
  bucketMs: number;
  /** Sum of every bucket of the ledger: all that arrived, and what SDKs say that they dropped before sending. */
  total: number;
  byOutcome: Record<Outcome, number>;
  /** Largest first; the quantities add up to `total`. */
  rows: ArrivedRow[];
  /** Accepted once, and deleted in the range; not among the above. */
  expired: ExpiredSum[];
  /** For each bucket of time, oldest first, the quantity per outcome. */
  series: Array<{ at: number; counts: Partial<Record<Outcome, number>> }>;
  /** Finished in the range, oldest first. */
  deploys: Array<{ at: number; environment: string; version: string }>;
}

/** The loss ledger over a range: where every item ended. */
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
  const [sums, series, deploys, expired] = await Promise.all([
    state.outcomes.sumOutcomes(chosen, {
      ...filter,
      bucketMs: null,
      groupBy: ["outcome", "reason", "category", "project"],
    }),
    state.outcomes.sumOutcomes(chosen, { ...filter, bucketMs, groupBy: ["outcome"] }),
    state.releases.listDeploysBetween(chosen, from, to),
    state.outcomes.sumExpired(chosen, filter),
  ]);
  const byOutcome = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  const rows = sums.flatMap((sum) =>
    sum.outcome === undefined
      ? []
      : [
          {
            outcome: sum.outcome,
            reason: sum.reason ?? "",
            category: sum.category ?? "",
            projectId: sum.projectId ?? 0,
            quantity: sum.quantity,
          },
        ],
  );
  for (const row of rows) byOutcome[row.outcome] += row.quantity;
  rows.sort((a, b) => b.quantity - a.quantity);
  const buckets = Array.from({ length: Math.round((to - from) / bucketMs) }, (_, index) => ({
    at: from + index * bucketMs,
    counts: {} as Partial<Record<Outcome, number>>,
  }));
  for (const sum of series) {
    const bucket = buckets[Math.floor((sum.at - from) / bucketMs)];
    if (bucket && sum.outcome) bucket.counts[sum.outcome] = (bucket.counts[sum.outcome] ?? 0) + sum.quantity;
  }
  return {
    from,
    to,
    bucketMs,
    total: Object.values(byOutcome).reduce((sum, quantity) => sum + quantity, 0),
    byOutcome,
    rows,
    expired,
    series: buckets,
    deploys: deploys.map(({ finishedAt, environment, version }) => ({ at: finishedAt, environment, version })),
  };
}

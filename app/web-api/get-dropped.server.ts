import { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import { OUTCOMES, type Outcome } from "../domain/outcome.ts";
import { API_OUTCOME, BUCKETS, toBuckets, toOutcomes } from "./get-stats.server.ts";
import { PROJECTS, toProjectScope } from "./query.ts";

/** Categories of the ledger for each of Sentry's datasets. Uptime checks are never dropped. */
const CATEGORIES = {
  errors: ["error", "default", "security", "finding"],
  logs: ["log_item"],
  profile_functions: ["profile", "profile_chunk"],
  spans: ["span"],
  tracemetrics: ["trace_metric"],
  uptime_results: ["uptime"],
} satisfies Record<string, string[]>;

const DROPPED = ["filtered", "rate_limited", "invalid", "abuse", "client_discard", "cardinality_limited"] as const;

export const droppedQuery = z.object({
  dataset: z.enum(Object.keys(CATEGORIES) as Array<keyof typeof CATEGORIES>),
  outcome: z.enum(DROPPED).optional().describe("Of what was dropped; the accepted are always there"),
  reason: z.string().optional().describe("Of what was dropped"),
  ...BUCKETS,
  ...PROJECTS,
});

export const droppedAnswer = z.object({
  type: z.string().describe("the dataset"),
  category: z.string(),
  outcome: z.string(),
  reason: z.string(),
  start: z.int(),
  end: z.int(),
  count: z.int(),
});

/** Sums of the ledger, in whole hours as the ledger has them. Sums of 0 are left out. */
export async function getDropped(workspace: Workspace, query: z.output<typeof droppedQuery>, now: number) {
  const { dataset } = query;
  const { from, to, intervalMs } = toBuckets(query, now);
  const scope = await toProjectScope(workspace, query);
  const sum = async (outcomes: Outcome[], reasons: string[] | undefined) => {
    const sums = await workspace.state.outcomes.sumOutcomes(scope, {
      from,
      to,
      bucketMs: intervalMs,
      groupBy: ["outcome", "reason", "category"],
      categories: CATEGORIES[dataset],
      outcomes,
      ...(reasons ? { reasons } : {}),
    });
    return sums.map(
      ({ at, outcome, reason, category, quantity }): z.input<typeof droppedAnswer> => ({
        type: dataset,
        category: category ?? "",
        outcome: outcome ? API_OUTCOME[outcome] : "",
        reason: reason ?? "",
        start: at,
        end: at + intervalMs,
        count: quantity,
      }),
    );
  };
  const dropped = query.outcome
    ? toOutcomes([query.outcome])
    : OUTCOMES.filter((outcome) => API_OUTCOME[outcome] !== "accepted");
  const [droppedEvents, acceptedEvents] = await Promise.all([
    sum(dropped, query.reason === undefined ? undefined : [query.reason]),
    sum(["accepted", "deleted"], undefined),
  ]);
  return { meta: { dataset, start: from, end: to, interval: intervalMs }, droppedEvents, acceptedEvents };
}

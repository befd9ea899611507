import { z } from "zod";
import { answer } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { droppedAnswer, droppedQuery, getDropped } from "../get-dropped.server.ts";
import { getStats, statsQuery } from "../get-stats.server.ts";
import { instant } from "../shapes.ts";

export const STATS_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/stats_v2/",
    scopes: ["org:read"],
    summary: "The loss ledger.",
    query: statsQuery,
    answers: {
      200: {
        what: "Sums",
        json: z.object({
          start: instant,
          end: instant,
          intervals: z.array(instant),
          groups: z.array(
            z.object({
              by: z.record(z.string(), z.union([z.string(), z.number()])),
              totals: z.object({ "sum(quantity)": z.number() }),
              series: z.object({ "sum(quantity)": z.array(z.number()) }),
            }),
          ),
        }),
      },
    },
    handle: async ({ workspace, query, now }) => answer(await getStats(workspace, query, now)),
  }),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/events-dropped/",
    scopes: ["event:read", "org:read"],
    summary: "The loss ledger: dropped items by outcome, reason and interval, beside the accepted ones.",
    query: droppedQuery,
    answers: {
      200: {
        what: "Counts; times are milliseconds since 1970",
        json: z.object({
          meta: z.object({ dataset: z.string(), start: z.int(), end: z.int(), interval: z.int() }),
          droppedEvents: z.array(droppedAnswer),
          acceptedEvents: z.array(droppedAnswer),
        }),
      },
    },
    handle: async ({ workspace, query, now }) => answer(await getDropped(workspace, query, now)),
  }),
];

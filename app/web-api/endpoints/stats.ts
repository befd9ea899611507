import { z } from "zod";
import { answer } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
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
    handle: async ({ engine, query, now }) => answer(await getStats(engine.state, query, now)),
  }),
];

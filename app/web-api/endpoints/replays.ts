import { z } from "zod";
import { DAY_MS } from "../../domain/time.ts";
import { answer } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { ENVIRONMENTS, PAGING, PROJECTS, TIME_RANGE, toProjectScope, toTimeFilter } from "../query.ts";

/** Empty lists of replays. Tools ask for the replays of a trace, an issue or an event, and fail as a whole if the answer is 404. */
export const REPLAY_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/replays/",
    scopes: ["org:read", "event:read"],
    summary:
      "An empty list: the items of replays are stored as they were sent, and are not joined to replays that can be listed.",
    query: z.object({
      query: z.string().optional(),
      field: z.union([z.string(), z.array(z.string())]).optional(),
      sort: z.string().optional(),
      ...PROJECTS,
      ...ENVIRONMENTS,
      ...TIME_RANGE,
      ...PAGING,
    }),
    answers: { 200: { what: "Replays: none", json: z.object({ data: z.array(z.never()) }) } },
    async handle({ workspace, query }) {
      // Errors in the question are answered as for other lists.
      await toProjectScope(workspace, query);
      toTimeFilter(query, { now: Date.now(), fallbackMs: 14 * DAY_MS });
      return answer({ data: [] });
    },
  }),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/replay-count/",
    scopes: ["org:read", "event:read"],
    summary: "An empty object: no replay can be listed, so no issue has one.",
    query: z.object({
      query: z.string().optional(),
      data_source: z.string().optional(),
      returnIds: z.string().optional(),
      ...PROJECTS,
      ...TIME_RANGE,
    }),
    answers: { 200: { what: "Replays by what they are of: none", json: z.object({}) } },
    async handle({ workspace, query }) {
      await toProjectScope(workspace, query);
      toTimeFilter(query, { now: Date.now(), fallbackMs: 14 * DAY_MS });
      return answer({});
    },
  }),
];

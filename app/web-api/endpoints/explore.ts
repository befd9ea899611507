import { z } from "zod";
import { DAY_MS } from "../../domain/time.ts";
import { listSpanAttributes } from "../../features/explore/list-span-attributes.server.ts";
import { answer, refusal } from "../answers.ts";
import { ROWS_QUERY, SERIES_QUERY } from "../datasets/dataset.ts";
import { requireDataset } from "../datasets/datasets.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { PROJECTS, TIME_RANGE, toProjectScope, toTimeRange } from "../query.ts";

/** By what tools call the kinds of rows. */
const ITEM_TYPES = ["spans", "span"];

const meta = z.object({
  fields: z.record(z.string(), z.string()),
  units: z.record(z.string(), z.string().nullable()),
  searchedFrom: z.string().nullable().describe("Instant before which nothing was searched; null: the whole range was"),
});

export const EXPLORE_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/events/",
    scopes: ["event:read", "org:read"],
    summary: "Search of spans: single ones, or figures of groups. Each span counts as often as its sampling rate says.",
    query: ROWS_QUERY,
    answers: {
      200: {
        what: "Rows with the fields that were asked for",
        json: z.object({ data: z.array(z.record(z.string(), z.unknown())), meta }),
      },
    },
    handle: ({ workspace, organization, query, url, now }) =>
      requireDataset(query.dataset, organization.slug).listRows({ workspace, query, url, now }),
  }),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/events-stats/",
    scopes: ["event:read", "org:read"],
    summary: "Figures of spans over time.",
    query: SERIES_QUERY,
    answers: {
      200: {
        what: "A series; several by `yAxis`, or by group with `topEvents`",
        json: z.looseObject({}),
      },
    },
    handle: ({ workspace, organization, query, url, now }) =>
      requireDataset(query.dataset, organization.slug).listSeries({ workspace, query, url, now }),
  }),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/trace-items/attributes/",
    scopes: ["event:read", "org:read"],
    summary: "Attributes that spans have, the most frequent first.",
    query: z.object({
      itemType: z.string("is required, like spans").describe("`spans`"),
      attributeType: z.enum(["string", "number", "boolean"]).default("string"),
      substringMatch: z.string().max(200).default("").describe("Part of the key"),
      ...PROJECTS,
      ...TIME_RANGE,
    }),
    answers: {
      200: {
        what: "Attributes",
        json: z.array(
          z.object({ key: z.string(), name: z.string(), attributeSource: z.object({ source_type: z.string() }) }),
        ),
      },
    },
    async handle({ workspace, query, now }) {
      if (!ITEM_TYPES.includes(query.itemType)) throw refusal(400, "itemType: only spans have a list of attributes");
      const { projectIds } = await toProjectScope(workspace, query);
      const attributes = await listSpanAttributes(workspace, {
        projectIds,
        type: query.attributeType,
        part: query.substringMatch,
        ...toTimeRange(query, { now, fallbackMs: 14 * DAY_MS }),
      });
      return answer(
        attributes.map(({ key, isKnown }) => ({
          key,
          name: key,
          attributeSource: { source_type: isKnown ? "sentry" : "user" },
        })),
      );
    },
  }),
];

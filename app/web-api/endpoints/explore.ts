import { z } from "zod";
import { answer } from "../answers.ts";
import { answerStats, answerTimeseries } from "../datasets/answer-series.ts";
import { checkSearch } from "../datasets/check-search.ts";
import { ROWS_QUERY, SERIES_QUERY } from "../datasets/dataset.ts";
import { requireDataset } from "../datasets/datasets.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { list } from "../query.ts";

const SCOPES: Endpoint["scopes"] = ["event:read", "org:read"];

const meta = z.object({
  fields: z.record(z.string(), z.string()),
  units: z.record(z.string(), z.string().nullable()),
  searchedFrom: z.string().nullable().describe("Instant before which nothing was searched; null: the whole range was"),
  accuracy: z
    .object({
      sampleCount: z.array(z.record(z.string(), z.number())),
      samplingRate: z.array(z.record(z.string(), z.number().nullable())),
      confidence: z.array(z.record(z.string(), z.enum(["high", "low"]).nullable())),
    })
    .optional()
    .describe(
      "What figures of spans rest on, by row: spans that were kept, their share, and `low` where these are too few",
    ),
});

const checked = z.object({ name: z.string(), valid: z.boolean(), error: z.string().nullable() });
const checkedField = checked.extend({ attrType: z.enum(["string", "number", "boolean"]) });

export const EXPLORE_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/events/",
    scopes: SCOPES,
    summary:
      "Search of errors, spans and logs: single ones, or figures of groups. Each span counts as often as its sampling rate says.",
    query: ROWS_QUERY,
    answers: {
      200: {
        what: "Rows with the fields that were asked for",
        json: z.object({ data: z.array(z.record(z.string(), z.unknown())), meta }),
      },
    },
    handle: ({ workspace, query, url, now }) => requireDataset(query.dataset).listRows({ workspace, query, url, now }),
  }),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/events/validate/",
    scopes: SCOPES,
    summary: "Whether `events/` would take a search: each part with what is wrong with it. Nothing is searched.",
    query: ROWS_QUERY.extend({ orderby: list.describe("Another word for `sort`, repeatable") }),
    answers: {
      200: {
        what: "The parts of the search",
        json: z.object({
          valid: z.boolean(),
          dataset: z.array(checked),
          projects: z.array(checked),
          environment: z.array(checked),
          field: z.array(checkedField),
          query: z.object({ valid: z.boolean(), error: z.string().nullable(), fields: z.array(checkedField) }),
          orderby: z.array(checkedField),
        }),
      },
    },
    handle: async ({ workspace, query: { orderby, ...query }, url, now }) => {
      const sorts = query.sort === undefined ? orderby : [query.sort, ...orderby];
      return answer(await checkSearch(workspace, { query, sorts, url, now }));
    },
  }),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/events-stats/",
    scopes: SCOPES,
    summary: "Figures of errors, spans and logs over time.",
    query: SERIES_QUERY,
    answers: {
      200: { what: "A series; several by `yAxis`, or by group with `topEvents`", json: z.looseObject({}) },
    },
    handle: async ({ workspace, query, url, now }) =>
      answerStats(await requireDataset(query.dataset).sumOverTime({ workspace, query, url, now })),
  }),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/events-timeseries/",
    scopes: SCOPES,
    summary: "The same figures over time, as a list of series.",
    query: SERIES_QUERY,
    answers: {
      200: {
        what: "A series for each figure and group",
        json: z.object({
          meta: z.looseObject({}),
          timeSeries: z.array(z.looseObject({ yAxis: z.string(), values: z.array(z.looseObject({})) })),
        }),
      },
    },
    handle: async ({ workspace, query, url, now }) =>
      answerTimeseries(await requireDataset(query.dataset).sumOverTime({ workspace, query, url, now }), {
        dataset: query.dataset,
        now,
      }),
  }),
];

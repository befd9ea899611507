import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import { MAX_SUMMED_VALUES } from "../../domain/spans/summed-values.ts";
import { DAY_MS } from "../../domain/time.ts";
import {
  type AttributeType,
  listAttributes,
  listAttributeValues,
} from "../../features/explore/list-attributes.server.ts";
import { getSpan } from "../../features/traces/get-span.server.ts";
import { type ReadTrace, readTrace } from "../../features/traces/read-trace.server.ts";
import { sayMissingTrace } from "../../features/traces/say-missing-trace.ts";
import { readTraceId } from "../../features/traces/trace-options.ts";
import type { AttributeSignal } from "../../stores/events/span-sums.ts";
import { answer, refusal } from "../answers.ts";
import { ROWS_QUERY } from "../datasets/dataset.ts";
import { listLines } from "../datasets/logs-dataset.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { PAGING, PROJECTS, TIME_RANGE, toPlace, toProjectScope, toTimeRange } from "../query.ts";
import {
  MAX_SPANS,
  MAX_SPANS_WITH_ATTRIBUTES,
  serializeSpan,
  serializeTrace,
  serializeTraceMeta,
  traceAnswer,
  traceMetaAnswer,
} from "../serialize-trace.ts";

const SCOPES: Endpoint["scopes"] = ["event:read", "org:read"];
const FALLBACK_MS = 14 * DAY_MS;

/** Signals by the words that tools use for kinds of rows. */
const SIGNALS: Readonly<Record<string, AttributeSignal>> = {
  spans: "spans",
  span: "spans",
  logs: "logs",
  log: "logs",
  ourlogs: "logs",
};
const LOG_FIELDS = [
  "id",
  "project.id",
  "trace",
  "span_id",
  "severity",
  "severity_number",
  "timestamp",
  "timestamp_precise",
  "message",
];

const ofItems = {
  itemType: z.string().optional().describe("`spans` or `logs`"),
  dataset: z.string().optional().describe("The same, as newer tools call it"),
  ...PROJECTS,
  ...TIME_RANGE,
};

export const TRACE_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/trace/{trace}/",
    scopes: SCOPES,
    summary: `The spans of a trace as a tree, with the errors in it. At most ${MAX_SPANS} spans; with their attributes up to ${MAX_SPANS_WITH_ATTRIBUTES}.`,
    answers: {
      200: { what: "Roots, and spans whose parent did not arrive; then errors that no span has", json: traceAnswer },
    },
    async handle({ workspace, params }) {
      const trace = await requireTrace(workspace, params.trace);
      const projects = await workspace.state.projects.listProjects(workspace.scope);
      const issues = await workspace.state.issues.getIssues(workspace.scope, [
        ...new Set(trace.errors.map(({ issueId }) => issueId)),
      ]);
      const { count } = trace.tree.spans;
      const rows =
        count > MAX_SPANS_WITH_ATTRIBUTES
          ? []
          : await workspace.events.listSpans({
              projectIds: workspace.scope.projectIds,
              traceId: trace.traceId,
              limit: MAX_SPANS_WITH_ATTRIBUTES,
            });
      const leftOut = Math.max(0, trace.tree.spans.count - MAX_SPANS);
      const shortened = rows.filter(({ isShortened }) => isShortened).length;
      return answer(
        serializeTrace(trace, {
          slugs: new Map(projects.map(({ id, slug }) => [id, slug])),
          shortIds: new Map(issues.map(({ id, shortId }) => [id, shortId])),
          rows,
        }),
        {
          headers: {
            ...sayUnseen(workspace),
            ...sayCount("x-spans-left-out", leftOut),
            ...sayCount("x-spans-shortened", shortened),
          },
        },
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/trace-meta/{trace}/",
    scopes: SCOPES,
    summary: "How many spans, log lines and errors a trace has, and spans by op.",
    answers: { 200: { what: "Counts", json: traceMetaAnswer } },
    async handle({ workspace, params }) {
      const trace = await requireTrace(workspace, params.trace);
      return answer(serializeTraceMeta(trace), { headers: sayUnseen(workspace) });
    },
  }),
  endpoint({
    method: "GET",
    path: "/projects/{organization}/{project}/trace-items/{item}/",
    scopes: ["event:read", "project:read"],
    summary: "One span of a trace, with its attributes.",
    query: z.object({
      trace_id: z.string("is required: 32 hexadecimal digits"),
      item_type: z.literal("spans", "must be spans").default("spans"),
    }),
    answers: {
      200: {
        what: "The span",
        json: z.object({
          itemId: z.string(),
          timestamp: z.string(),
          attributes: z.array(
            z.object({ name: z.string(), type: z.string(), value: z.union([z.string(), z.number()]) }),
          ),
          meta: z.looseObject({}),
          links: z.null(),
        }),
      },
    },
    async handle({ workspace, project, params, query }) {
      const trace = await requireTrace(workspace, query.trace_id);
      const spanId = params.item.toLowerCase();
      const span = /^[0-9a-f]{16}$/.test(spanId) ? await getSpan(workspace, { trace, key: spanId }) : null;
      if (span === null || span.project !== project.slug) throw refusal(404, "The requested span does not exist");
      const leftOut = span.attributeCount - span.attributes.length;
      return answer(serializeSpan(span), { headers: sayCount("x-attributes-left-out", leftOut) });
    },
  }),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/trace-logs/",
    scopes: SCOPES,
    summary: "Log lines of a trace, newest first.",
    query: ROWS_QUERY.extend({ traceId: z.string("is required: 32 hexadecimal digits") }),
    answers: { 200: { what: "Lines", json: z.object({ data: z.array(z.looseObject({})), meta: z.looseObject({}) }) } },
    async handle({ workspace, query, url, now }) {
      const traceId = requireTraceId(query.traceId);
      const search = query.query === "" ? `trace:${traceId}` : `trace:${traceId} (${query.query})`;
      const asked = { ...query, query: search, ...(query.sort === "-timestamp_precise" && { sort: "-timestamp" }) };
      const { data, meta, link } = await listLines({ workspace, query: asked, url, now }, LOG_FIELDS);
      // The `sentry` command refuses a key without a value.
      return answer({ data, meta: { fields: meta.fields } }, { headers: { link, ...sayUnseen(workspace) } });
    },
  }),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/trace-items/attributes/",
    scopes: SCOPES,
    summary: "Attributes that spans or logs have, the most frequent first.",
    query: z.object({
      ...ofItems,
      attributeType: z
        .array(z.enum(["string", "number", "boolean", "array"], "must be string, number, boolean or array"))
        .default([])
        .describe("Repeatable; without it `string`"),
      substringMatch: z.string().max(200).default("").describe("Part of the key"),
    }),
    answers: {
      200: {
        what: "Attributes",
        json: z.array(
          z.object({
            key: z.string(),
            name: z.string(),
            attributeType: z.string(),
            attributeSource: z.object({ source_type: z.string() }),
          }),
        ),
      },
    },
    async handle({ workspace, query, now }) {
      const signal = requireSignal(query);
      const { projectIds } = await toProjectScope(workspace, query);
      const whose = { signal, projectIds, ...toTimeRange(query, { now, fallbackMs: FALLBACK_MS }) };
      const types: AttributeType[] = query.attributeType.length > 0 ? query.attributeType : ["string"];
      const lists = await Promise.all(
        [...new Set(types)].map(async (type) => {
          const attributes = await listAttributes(workspace, { ...whose, type, part: query.substringMatch });
          return attributes.map(({ key, isKnown }) => ({
            key,
            name: key,
            attributeType: type,
            attributeSource: { source_type: isKnown ? "sentry" : "user" },
          }));
        }),
      );
      return answer(lists.flat());
    },
  }),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/trace-items/attributes/{attribute}/values/",
    scopes: SCOPES,
    summary: `Values of an attribute of spans or logs, the most frequent first. They may lag by a minute. Where there are ${MAX_SUMMED_VALUES} or more, rare ones are missing, and counts are lower bounds.`,
    query: z.object({
      ...ofItems,
      per_page: PAGING.per_page,
      limit: PAGING.limit,
      substringMatch: z.string().max(200).default("").describe("Begin of the value"),
    }),
    answers: {
      200: {
        what: "Values",
        json: z.array(z.object({ key: z.string(), name: z.string(), value: z.string(), count: z.int() })),
      },
    },
    async handle({ workspace, params, query, now }) {
      const signal = requireSignal(query);
      const { projectIds } = await toProjectScope(workspace, query);
      const time = toTimeRange(query, { now, fallbackMs: FALLBACK_MS });
      const values = await listAttributeValues(workspace, {
        signal,
        projectIds,
        ...time,
        key: params.attribute,
        prefix: query.substringMatch,
        limit: toPlace(query).limit,
      });
      return answer(values.map(({ value, count }) => ({ key: params.attribute, name: value, value, count })));
    },
  }),
];

function sayCount(header: string, count: number): Record<string, string> {
  return count > 0 ? { [header]: String(count) } : {};
}

/**
 * A header for callers who do not see every project. As on the page of a trace, it is sent even if nothing was left out: otherwise it would
 * reveal spans of other projects.
 */
function sayUnseen({ seesEverything }: Workspace): Record<string, string> {
  return seesEverything ? {} : { "x-unseen-projects": "left out" };
}

/** @throws a 404 answer for an invalid id. */
function requireTraceId(text: string): string {
  const id = readTraceId(text);
  if (id === null) throw refusal(404, "The requested trace does not exist: its id is 32 hexadecimal digits");
  return id;
}

/** @throws a 404 answer. */
async function requireTrace(workspace: Workspace, id: string): Promise<ReadTrace> {
  const trace = await readTrace(workspace, requireTraceId(id), { isAsSent: true });
  if (trace !== null) return trace;
  throw refusal(404, `The requested trace does not exist. ${sayMissingTrace(workspace)}`);
}

/** @throws a 400 answer. */
function requireSignal({ itemType, dataset }: { itemType?: string | undefined; dataset?: string | undefined }) {
  const name = itemType ?? dataset;
  const parameter = itemType === undefined && dataset !== undefined ? "dataset" : "itemType";
  const signal = name !== undefined && Object.hasOwn(SIGNALS, name) ? SIGNALS[name] : undefined;
  if (signal === undefined) throw refusal(400, `${parameter}: must be spans or logs`);
  return signal;
}

import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import type { Scope } from "../../domain/scope.ts";
import { narrowScope } from "../../domain/scope.ts";
import { DAY_MS } from "../../domain/time.ts";
import { answer, refusal } from "../answers.ts";
import { type Endpoint, type EndpointAnswer, endpoint } from "../endpoint.ts";
import {
  ENVIRONMENTS,
  PAGING,
  PROJECTS,
  TIME_RANGE,
  toEnvironments,
  toPlace,
  toProjectScope,
  toTimeRange,
} from "../query.ts";
import { serializeTag, tagAnswer, tagValueAnswer } from "../serialize-tag.ts";

const FALLBACK_RANGE_MS = 14 * DAY_MS;

const place = { ...ENVIRONMENTS, ...TIME_RANGE, per_page: PAGING.per_page, limit: PAGING.limit };
const ofProject = z.object(place);
const dataset = z
  .literal("errors", "only errors have tags; spans and logs have attributes: see trace-items/attributes/")
  .default("errors");
const ofOrganization = z.object({ ...place, ...PROJECTS, dataset });

const tags: EndpointAnswer = {
  what: "Tags, those with most events first, at most 200, each with its most frequent value",
  json: z.array(tagAnswer),
};
const values: EndpointAnswer = {
  what: "Values, most frequent first, as many as `limit` says (100)",
  json: z.array(tagValueAnswer),
};

/** Tags of the newest 10,000 error events. */
export const TAG_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/tags/",
    scopes: ["event:read", "org:read"],
    summary: "Tags of errors, of the newest 10,000.",
    query: ofOrganization,
    answers: { 200: tags },
    async handle({ workspace, query, now }) {
      return answer(await listTags(workspace, { scope: await toProjectScope(workspace, query), query, now }));
    },
  }),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/tags/{tag}/values/",
    scopes: ["event:read", "org:read"],
    summary: "The values of one tag of errors, of the newest 10,000.",
    query: ofOrganization,
    answers: { 200: values },
    async handle({ workspace, params, query, now }) {
      const scope = await toProjectScope(workspace, query);
      return answer(await listValues(workspace, { scope, query, now, key: params.tag }));
    },
  }),
  endpoint({
    method: "GET",
    path: "/projects/{organization}/{project}/tags/",
    scopes: ["event:read", "project:read"],
    summary: "Tags of a project's errors, of the newest 10,000.",
    query: ofProject,
    answers: { 200: tags },
    async handle({ workspace, project, query, now }) {
      return answer(await listTags(workspace, { scope: narrowScope(workspace.scope, [project.id]), query, now }));
    },
  }),
  endpoint({
    method: "GET",
    path: "/projects/{organization}/{project}/tags/{tag}/values/",
    scopes: ["event:read", "project:read"],
    summary: "The values of one tag of a project's errors, of the newest 10,000.",
    query: ofProject,
    answers: { 200: values },
    async handle({ workspace, project, params, query, now }) {
      const scope = narrowScope(workspace.scope, [project.id]);
      return answer(await listValues(workspace, { scope, query, now, key: params.tag }));
    },
  }),
];

interface TagQuestion {
  scope: Scope;
  query: z.output<typeof ofProject>;
  now: number;
}

function toFilter({ scope, query, now }: TagQuestion) {
  const time = toTimeRange(query, { now, fallbackMs: FALLBACK_RANGE_MS });
  return { projectIds: scope.projectIds, ...time, ...toEnvironments(query) };
}

async function listTags({ events }: Workspace, question: TagQuestion) {
  const found = await events.tagDistributions(toFilter(question), { valuesPerKey: 1 });
  return found.tags
    .filter(({ total }) => total > 0)
    .sort((one, other) => other.total - one.total)
    .map(serializeTag);
}

/** @throws a 404 answer for a tag that no event has. */
async function listValues({ events }: Workspace, { key, ...question }: TagQuestion & { key: string }) {
  const valuesPerKey = toPlace(question.query).limit;
  const found = await events.tagDistributions(toFilter(question), { keys: [key], valuesPerKey });
  const [tag] = found.tags.filter(({ total }) => total > 0);
  if (!tag) throw refusal(404, "The requested tag does not exist");
  return serializeTag(tag).topValues;
}

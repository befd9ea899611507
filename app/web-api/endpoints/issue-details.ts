import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { narrowScope } from "../../domain/scope.ts";
import { DAY_MS } from "../../domain/time.ts";
import { readStoredEvents } from "../../features/events/read-stored-events.server.ts";
import type { EventFilter, TagDistribution } from "../../stores/events/error-events.ts";
import { answer, refusal } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { ENVIRONMENTS, PAGING, TIME_RANGE, toEnvironments, toPlace, toTimeFilter } from "../query.ts";
import { activityAnswer, serializeActivity } from "../serialize-activity.ts";
import { serializeTag, tagAnswer, tagValueAnswer } from "../serialize-tag.ts";

const SCOPES: Endpoint["scopes"] = ["event:read"];
const FALLBACK_RANGE_MS = 90 * DAY_MS;

const query = z.object({ ...ENVIRONMENTS, ...TIME_RANGE, per_page: PAGING.per_page, limit: PAGING.limit });

/** Tags and activity of an issue. */
function detailEndpoints(issue: "/issues/{issue}" | "/organizations/{organization}/issues/{issue}"): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: `${issue}/tags/`,
      scopes: SCOPES,
      summary: "Tags of an issue's events, at most 200, those with most events first.",
      query,
      answers: { 200: { what: "Tags, with as many values each as `limit` says (10)", json: z.array(tagAnswer) } },
      async handle({ workspace, issue, query, now }) {
        return answer((await readTags(workspace, issue, { query, now })).map(serializeTag));
      },
    }),
    endpoint({
      method: "GET",
      path: `${issue}/tags/{tag}/`,
      scopes: SCOPES,
      summary: "One tag of an issue's events.",
      query,
      answers: { 200: { what: "The tag, with as many values as `limit` says (10)", json: tagAnswer } },
      async handle({ workspace, issue, params, query, now }) {
        return answer(serializeTag(await requireTag(workspace, issue, { key: params.tag, query, now })));
      },
    }),
    endpoint({
      method: "GET",
      path: `${issue}/tags/{tag}/values/`,
      scopes: SCOPES,
      summary: "The values of one tag of an issue's events.",
      query,
      answers: {
        200: { what: "Values, most frequent first, as many as `limit` says (100)", json: z.array(tagValueAnswer) },
      },
      async handle({ workspace, issue, params, query, now }) {
        const found = await requireTag(workspace, issue, { key: params.tag, query: { limit: 100, ...query }, now });
        return answer(serializeTag(found).topValues);
      },
    }),
    endpoint({
      method: "GET",
      path: `${issue}/activities/`,
      scopes: SCOPES,
      summary: "The history of an issue, newest first, at most 200 entries.",
      answers: { 200: { what: "Activity", json: z.object({ activity: z.array(activityAnswer) }) } },
      async handle({ workspace, issue }) {
        const activity = await workspace.state.issues.listActivity(workspace.scope, issue.id);
        return answer({ activity: activity.map(serializeActivity) });
      },
    }),
  ];
}

export const ISSUE_DETAIL_ENDPOINTS: readonly Endpoint[] = [
  ...detailEndpoints("/issues/{issue}"),
  ...detailEndpoints("/organizations/{organization}/issues/{issue}"),
];

interface TagQuestion {
  query: z.output<typeof query>;
  now: number;
}

/** @throws a 404 answer. */
async function requireTag(
  workspace: Workspace,
  issue: Issue,
  asked: TagQuestion & { key: string },
): Promise<TagDistribution> {
  const [found] = await readTags(workspace, issue, asked);
  if (!found) throw refusal(404, "The requested tag does not exist");
  return found;
}

/** The tags of an issue. `key`: only this tag. */
async function readTags(
  workspace: Workspace,
  issue: Issue,
  { query, now, key }: TagQuestion & { key?: string },
): Promise<TagDistribution[]> {
  const filter: EventFilter = {
    projectIds: narrowScope(workspace.scope, [issue.projectId]).projectIds,
    issueId: issue.id,
    ...toTimeFilter(query, { now, fallbackMs: FALLBACK_RANGE_MS }),
    ...toEnvironments(query),
  };
  const options = {
    ...(key === undefined ? {} : { keys: [key] }),
    valuesPerKey: toPlace(query, { fallback: 10 }).limit,
  };
  const { tags } = await readStoredEvents(
    workspace,
    () => workspace.events.tagDistributions(filter, options),
    ({ countedEvents }) => countedEvents === 0,
  );
  return tags.filter(({ total }) => total > 0);
}

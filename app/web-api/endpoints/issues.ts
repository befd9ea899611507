import { z } from "zod";
import { PRIORITIES } from "../../domain/issues/priority.ts";
import { narrowScope } from "../../domain/scope.ts";
import { readFeedbackCategory } from "../../domain/search/issue-category.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { deleteIssues } from "../../features/issues/delete-issues.server.ts";
import { parseIssueCursor } from "../../stores/state/issue-cursor.ts";
import { answer, answerPage, nothing, refusal } from "../answers.ts";
import { changeFeedbackIssue } from "../change-feedback-issue.server.ts";
import { changeIssue, changeNamedIssues, deleteNamedIssues, issueChange, SELECTION } from "../change-issues.server.ts";
import { type Endpoint, type EndpointAnswer, endpoint } from "../endpoint.ts";
import { findSearchedFeedback } from "../find-feedback-of-event.server.ts";
import { requireIssue } from "../find-named.server.ts";
import { ISSUE_FILTER, toIssueFilter } from "../issue-filter.server.ts";
import { listFeedbackIssues } from "../list-feedback-issues.server.ts";
import { listIssues, serializeOneIssue } from "../list-issues.server.ts";
import { PAGING, requireCursor, toPlace, toProjectScope } from "../query.ts";
import { sayRefusal } from "../say-refusal.ts";
import { feedbackIssueAnswer, feedbackIssueId, serializeFeedbackIssue } from "../serialize-feedback-issue.ts";
import { issueAnswer } from "../serialize-issue.ts";
import { id } from "../shapes.ts";

const oneOfEither: EndpointAnswer = {
  what: "The issue, or feedback in the form of one",
  json: z.union([issueAnswer, feedbackIssueAnswer]),
};

/** Sentry's words for the orders of the list. Tools offer `recommended` first: it puts what matters most first. */
const SORTS = {
  date: "last_seen",
  new: "first_seen",
  freq: "events",
  user: "users",
  priority: "priority",
  recommended: "priority",
} as const;

const SORT_OF_FEEDBACK = "sort: feedback is sorted by date or new: each has one event, and no priority";

/** The endpoints of lists, for the organization or for one project. */
function listEndpoints(base: "/organizations/{organization}" | "/projects/{organization}/{project}"): Endpoint[] {
  const path = `${base}/issues/` as const;
  return [
    endpoint({
      method: "GET",
      path,
      scopes: ["event:read"],
      summary: "Issues.",
      query: z.object({
        ...ISSUE_FILTER,
        sort: z.enum(Object.keys(SORTS) as Array<keyof typeof SORTS>).default("date"),
        ...PAGING,
      }),
      answers: {
        200: {
          what: "Issues; with `issue.category:feedback` in the query, feedback in their form",
          json: z.array(z.union([issueAnswer, feedbackIssueAnswer])),
        },
      },
      async handle(call) {
        const { workspace, project, query, now, url } = call;
        const search = parseSearch(query.query ?? "");
        const { isFeedback, errors } = readFeedbackCategory(search.tree);
        const [error] = errors;
        if (error) throw refusal(400, sayRefusal(query.query ?? "", error));
        const scope = project ? narrowScope(workspace.scope, [project.id]) : await toProjectScope(workspace, query);
        if (isFeedback) {
          if (query.sort !== "date" && query.sort !== "new") throw refusal(400, SORT_OF_FEEDBACK);
          const page = await listFeedbackIssues(call, scope, query);
          return answerPage(url, page.issues, page);
        }
        const named = await findSearchedFeedback(workspace, scope, query.query ?? "");
        const itsProject = named && (await workspace.state.projects.getProject(workspace.scope, named.projectId));
        if (itsProject) {
          const page = { previousCursor: null, nextCursor: null };
          return answerPage(url, [serializeFeedbackIssue(named, itsProject, call.baseUrl)], page, { "x-hits": "1" });
        }
        const filter = await toIssueFilter(workspace, { project, query, now });
        const sort = SORTS[query.sort];
        const place = toPlace(query, { fallback: 25 });
        requireCursor(place.cursor, (cursor) => parseIssueCursor(cursor, sort));
        const page = await listIssues(call, filter.scope, { ...filter.query, sort, ...place });
        return answerPage(url, page.issues, page, { "x-hits": String(page.matchingCount) });
      },
    }),
    endpoint({
      method: "PUT",
      path,
      scopes: ["event:write"],
      summary:
        "Changes the issues named by id, or all that match the query. Without either, all of a project; of the organization, a query is needed.",
      query: SELECTION,
      body: { json: issueChange },
      answers: {
        200: {
          what: "What the issues are now, how many were meant, and how many of them were something else before",
          json: z.object({
            status: z.string().optional(),
            statusDetails: z.looseObject({}).optional(),
            assignedTo: z.string().nullable().optional(),
            priority: z.enum(PRIORITIES).nullable().optional(),
            isBookmarked: z.boolean().optional(),
            isSubscribed: z.boolean().optional(),
            hasSeen: z.boolean().optional(),
            merge: z.object({ parent: z.string(), children: z.array(z.string()) }).optional(),
            matchingCount: z.int(),
            changedCount: z.int(),
          }),
        },
      },
      async handle({ workspace, project, query, body, now }) {
        return answer(await changeNamedIssues(workspace, { project, query, body, now }));
      },
    }),
    endpoint({
      method: "DELETE",
      path,
      scopes: ["event:admin"],
      summary:
        "Deletes the issues named by id, or all that match the query, with their events. One of the two is needed.",
      query: SELECTION,
      answers: { 204: { what: "Deleted. Payload files follow within a day", json: null } },
      async handle({ workspace, project, query, now }) {
        await deleteNamedIssues(workspace, { project, query, now });
        return nothing();
      },
    }),
  ];
}

function issueEndpoints(path: "/issues/{issue}/" | "/organizations/{organization}/issues/{issue}/"): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path,
      scopes: ["event:read"],
      summary: "One issue, by number or short id.",
      answers: { 200: oneOfEither },
      handle: async (call) => answer(await serializeOneIssue(call, call.issue, call.project)),
      ofFeedback: ({ feedback, project, baseUrl }) => answer(serializeFeedbackIssue(feedback, project, baseUrl)),
    }),
    endpoint({
      method: "PUT",
      path,
      scopes: ["event:write"],
      summary: "Changes an issue. Of feedback, `status`, `assignedTo` and `hasSeen`.",
      body: { json: issueChange },
      answers: { 200: oneOfEither },
      async handle(call) {
        const { workspace, issue, project, body, now } = call;
        const { shareId } = await changeIssue(workspace, issue.id, { body, now });
        const changed = await serializeOneIssue(call, await requireIssue(workspace, String(issue.id)), project);
        return answer(changed && { ...changed, shareId });
      },
      async ofFeedback({ workspace, feedback, project, body, baseUrl, now }) {
        const changed = await changeFeedbackIssue(workspace, feedback, { body, now });
        return answer(serializeFeedbackIssue(changed, project, baseUrl));
      },
    }),
    endpoint({
      method: "DELETE",
      path,
      scopes: ["event:admin"],
      summary: "Deletes an issue with all its events.",
      answers: { 202: { what: "Deleted. Payload files follow within a day", json: null } },
      async handle({ workspace, issue, now }) {
        await deleteIssues(workspace, { issues: [issue.id], now });
        return nothing(202);
      },
    }),
  ];
}

export const ISSUE_ENDPOINTS: readonly Endpoint[] = [
  ...listEndpoints("/organizations/{organization}"),
  ...listEndpoints("/projects/{organization}/{project}"),
  ...issueEndpoints("/issues/{issue}/"),
  ...issueEndpoints("/organizations/{organization}/issues/{issue}/"),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/shortids/{issue}/",
    scopes: ["event:read"],
    summary: "From a short id to its issue.",
    answers: {
      200: {
        what: "The issue and its project",
        json: z.object({
          organizationSlug: z.string(),
          projectSlug: z.string(),
          shortId: z.string(),
          groupId: z.union([id, feedbackIssueId]),
          group: z.union([issueAnswer, feedbackIssueAnswer]),
        }),
      },
    },
    async handle(call) {
      const { organization, project, issue } = call;
      return answer({
        organizationSlug: organization.slug,
        projectSlug: project.slug,
        shortId: issue.shortId,
        groupId: String(issue.id),
        group: await serializeOneIssue(call, issue, project),
      });
    },
    async ofFeedback({ workspace, project, feedback, baseUrl }) {
      const group = serializeFeedbackIssue(feedback, project, baseUrl);
      return answer({
        organizationSlug: workspace.organization.slug,
        projectSlug: project.slug,
        shortId: group.shortId,
        groupId: group.id,
        group,
      });
    },
  }),
];

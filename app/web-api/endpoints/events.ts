import { z } from "zod";
import type { Feedback } from "../../domain/feedback/feedback.ts";
import { toFeedbackEventId } from "../../domain/feedback/feedback-issue-id.ts";
import { narrowScope } from "../../domain/scope.ts";
import { deleteEvent } from "../../features/events/delete-event.server.ts";
import { toEventId } from "../../features/events/event-id.ts";
import { answer, answerPage, nothing, refusal, toIso } from "../answers.ts";
import { type Endpoint, type EndpointAnswer, endpoint } from "../endpoint.ts";
import { findFeedbackOfEvent } from "../find-feedback-of-event.server.ts";
import { getEvent, isEdge, requireStoredEvent } from "../get-event.server.ts";
import { ISSUE_EVENTS_QUERY, listEvents, listIssueEvents } from "../list-events.server.ts";
import { isFeedbackFound } from "../list-feedback-issues.server.ts";
import { ENVIRONMENTS, PAGING, refuseCursor, TIME_RANGE } from "../query.ts";
import { eventAnswer, eventId, eventRowAnswer, serializeEventRow } from "../serialize-event.ts";
import { feedbackEventAnswer, feedbackIssueId, serializeFeedbackEvent } from "../serialize-feedback-issue.ts";
import { id } from "../shapes.ts";

const listQuery = z.object({ ...ENVIRONMENTS, ...TIME_RANGE, ...PAGING });
const list: EndpointAnswer = { what: "Events, newest first", json: z.array(eventRowAnswer) };
const oneOfEither: EndpointAnswer = {
  what: "The event. Feedback has one, `generic`, and says in its contexts what was said",
  json: z.union([eventAnswer, feedbackEventAnswer]),
};

const EVENTS = "/projects/{organization}/{project}/events/";

function issueEventEndpoints(issue: "/issues/{issue}" | "/organizations/{organization}/issues/{issue}"): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: `${issue}/events/`,
      scopes: ["event:read"],
      summary: "Events of an issue.",
      query: ISSUE_EVENTS_QUERY,
      answers: { 200: { ...list, json: z.array(z.union([eventRowAnswer, feedbackEventAnswer])) } },
      async handle({ workspace, issue, query, now, url }) {
        const page = await listIssueEvents(workspace, issue, query, now);
        const bound = page.searchedFrom === null ? undefined : { "x-searched-from": toIso(page.searchedFrom) };
        return answerPage(url, page.events, page, bound);
      },
      async ofFeedback({ workspace, feedback, project, query, now, url }) {
        refuseCursor(query);
        const isFound = await isFeedbackFound(workspace, feedback, { query, now });
        const page = { previousCursor: null, nextCursor: null };
        return answerPage(url, isFound ? [serializeFeedbackEvent(feedback, project)] : [], page);
      },
    }),
    endpoint({
      method: "GET",
      path: `${issue}/events/{event}/`,
      scopes: ["event:read"],
      summary: "One event of an issue, by id, or `latest` or `oldest`.",
      answers: { 200: oneOfEither },
      async handle({ workspace, project, issue, params }) {
        return answer(await getEvent(workspace, { projectId: project.id, issueId: issue.id, eventId: params.event }));
      },
      ofFeedback({ feedback, project, params: { event = "" } }) {
        const isIt = isEdge(event) || toEventId(event) === toFeedbackEventId(feedback);
        if (!isIt) throw refusal(404, "The requested event does not exist");
        return answer(serializeFeedbackEvent(feedback, project));
      },
    }),
  ];
}

export const EVENT_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: EVENTS,
    scopes: ["event:read", "project:read"],
    summary: "Events of a project.",
    query: listQuery,
    answers: { 200: list },
    async handle({ workspace, project, query, now, url }) {
      const page = await listEvents(
        workspace,
        { projectIds: narrowScope(workspace.scope, [project.id]).projectIds },
        query,
        now,
      );
      return answerPage(url, page.events, page);
    },
  }),
  endpoint({
    method: "GET",
    path: `${EVENTS}{event}/`,
    scopes: ["event:read", "project:read"],
    summary: "One event whole.",
    answers: { 200: oneOfEither },
    async handle({ workspace, project, params }) {
      const feedback = await findFeedbackOfEvent(workspace, narrowScope(workspace.scope, [project.id]), params.event);
      if (feedback) return answer(serializeFeedbackEvent(feedback, project));
      return answer(await getEvent(workspace, { projectId: project.id, issueId: null, eventId: params.event }));
    },
  }),
  endpoint({
    method: "DELETE",
    path: `${EVENTS}{event}/`,
    scopes: ["event:admin"],
    summary: "Deletes an event. The last event of an issue takes the issue with it.",
    answers: { 202: { what: "Deleted. Payload files follow within a day", json: null } },
    async handle({ workspace, project, params, now }) {
      const eventId = toEventId(params.event);
      const deleted = eventId ? await deleteEvent(workspace, { eventId, projectId: project.id, now }) : { ok: false };
      if (!deleted.ok) throw refusal(404, "The requested event does not exist");
      return nothing(202);
    },
  }),
  endpoint({
    method: "GET",
    path: `${EVENTS}{event}/json/`,
    scopes: ["event:read", "project:read"],
    summary: "The event as it is stored, in the names of the wire.",
    answers: { 200: { what: "The event", json: z.looseObject({}) } },
    async handle({ workspace, project, params }) {
      const address = { projectId: project.id, issueId: null, eventId: params.event };
      return answer((await requireStoredEvent(workspace, address)).stored.event);
    },
  }),
  ...issueEventEndpoints("/issues/{issue}"),
  ...issueEventEndpoints("/organizations/{organization}/issues/{issue}"),
  endpoint({
    method: "GET",
    path: "/organizations/{organization}/eventids/{event}/",
    scopes: ["event:read"],
    summary: "From an event's id to its project and issue.",
    answers: {
      200: {
        what: "Where the event is",
        json: z.object({
          organizationSlug: z.string(),
          projectSlug: z.string(),
          groupId: z.union([id, feedbackIssueId]),
          eventId,
          event: z.union([eventRowAnswer, feedbackEventAnswer]),
        }),
      },
    },
    async handle({ workspace, organization, params }) {
      const { state, events, scope } = workspace;
      const eventId = toEventId(params.event);
      const row = eventId === null ? null : await events.getEvent(eventId, scope.projectIds);
      const feedback = row === null ? await findFeedbackOfEvent(workspace, scope, params.event) : null;
      const place = row ?? feedback;
      const project = place && (await state.projects.getProject(scope, place.projectId));
      if (!project) throw refusal(404, "The requested event does not exist");
      const named = { organizationSlug: organization.slug, projectSlug: project.slug };
      if (row === null) {
        const event = serializeFeedbackEvent(feedback as Feedback, project);
        return answer({ ...named, groupId: event.groupID, eventId: event.id, event });
      }
      return answer({
        ...named,
        groupId: String(row.issueId),
        eventId: row.eventId,
        event: serializeEventRow(row, { culprit: null }),
      });
    },
  }),
];

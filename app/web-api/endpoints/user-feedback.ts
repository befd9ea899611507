import { z } from "zod";
import { FEEDBACK_STATUSES, type Feedback } from "../../domain/feedback/feedback.ts";
import { narrowScope } from "../../domain/scope.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { toEventId } from "../../features/events/event-id.ts";
import { toFeedbackId } from "../../features/feedback/feedback-filters.ts";
import { findFeedbackFilter } from "../../features/feedback/get-feedback-page.server.ts";
import { REPORT_LIMITS, sendReport } from "../../features/feedback/send-report.server.ts";
import { answer, answerPage, refusal, toIso } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { PAGING, requireCursor, toPlace } from "../query.ts";
import { sayRefusal } from "../say-refusal.ts";
import { id, instant } from "../shapes.ts";

const USER_FEEDBACK = "/projects/{organization}/{project}/user-feedback/";

const feedbackAnswer = z.object({
  id: z
    .string()
    .regex(/^-?\d+$/)
    .describe("below 0: stored before there was an inbox"),
  eventID: z.string().nullable().describe("the event that it is about"),
  name: z.string().nullable(),
  email: z.string().nullable(),
  comments: z.string(),
  dateCreated: instant,
  user: z.null(),
  issue: z.object({ id }).nullable(),
  status: z.enum(FEEDBACK_STATUSES),
  isRead: z.boolean(),
  url: z.string().nullable(),
  environment: z.string().nullable(),
  release: z.string().nullable(),
  traceId: z.string().nullable(),
  replayId: z.string().nullable(),
});

/** The most reports in one page. Tools ask for up to 100, and an issue has few. */
const MAX_REPORTS = 100;

/** Feedback about an event, which Sentry calls a user report. */
const userReportAnswer = feedbackAnswer
  .pick({ id: true, name: true, email: true, comments: true, dateCreated: true, user: true })
  .extend({ eventID: z.string(), event: z.object({ id: z.string(), eventID: z.string() }) });

const contact = z.string().max(REPORT_LIMITS.contact).nullish();
const report = z.object({
  event_id: z
    .string()
    .transform((text) => toEventId(text))
    .refine((eventId): eventId is string => eventId !== null, { error: "must be an event id: 32 hexadecimal digits" }),
  name: contact,
  email: contact,
  comments: z.string().trim().min(1, "must not be empty").max(REPORT_LIMITS.comments),
});

const reportAnswer = feedbackAnswer.pick({ eventID: true, name: true, email: true, comments: true, dateCreated: true });

export const USER_FEEDBACK_ENDPOINTS: readonly Endpoint[] = [
  userReports("/issues/{issue}/user-reports/"),
  userReports("/organizations/{organization}/issues/{issue}/user-reports/"),
  endpoint({
    method: "GET",
    path: USER_FEEDBACK,
    scopes: ["event:read", "project:read"],
    summary: "What users said, newest first: from widgets, captureFeedback and user reports.",
    query: z.object({
      status: z
        .enum(["", ...FEEDBACK_STATUSES])
        .default("unresolved")
        .describe("empty: any"),
      query: z.string().trim().max(2_000).default("").describe("In the language of the search"),
      ...PAGING,
    }),
    answers: { 200: { what: "Feedback", json: z.array(feedbackAnswer) } },
    async handle({ workspace, project, query, url, now }) {
      const scope = narrowScope(workspace.scope, [project.id]);
      const { where, errors } = await findFeedbackFilter(workspace, parseSearch(query.query), { scope, now });
      const [error] = errors;
      if (error) throw refusal(400, sayRefusal(query.query, error));
      const { cursor, limit } = toPlace(query);
      requireCursor(cursor, toFeedbackId);
      const before = cursor === null ? null : toFeedbackId(cursor);
      const status = query.status === "" ? null : query.status;
      const page = await workspace.state.feedback.listFeedback(scope, { status, where, before, limit });
      const nextCursor = page.nextBefore === null ? null : String(page.nextBefore);
      return answerPage(url, page.feedback.map(serializeFeedback), { previousCursor: null, nextCursor });
    },
  }),
  endpoint({
    method: "POST",
    path: USER_FEEDBACK,
    scopes: ["event:write", "project:write"],
    summary: "Takes what a user wrote about an event. It is listed a moment later; the newest of an event counts.",
    body: { json: report },
    answers: { 200: { what: "Taken", json: reportAnswer } },
    async handle({ workspace, project, body, now }) {
      const { event_id: eventId, comments } = body;
      const said = { name: body.name ?? null, email: body.email ?? null, comments };
      const sent = await sendReport(workspace, project, { eventId, ...said });
      if (!sent.ok) throw refusal(sent.status, sent.detail);
      return answer({ eventID: eventId, ...said, dateCreated: toIso(now) });
    },
  }),
];

function userReports(
  path: "/issues/{issue}/user-reports/" | "/organizations/{organization}/issues/{issue}/user-reports/",
): Endpoint {
  return endpoint({
    method: "GET",
    path,
    scopes: ["event:read"],
    summary: `What users said about events of an issue, the newest ${MAX_REPORTS}, without spam.`,
    answers: { 200: { what: "Reports", json: z.array(userReportAnswer) } },
    async handle({ workspace, issue }) {
      const { feedback } = await workspace.state.feedback.listFeedbackAbout(
        workspace.scope,
        { issueId: issue.id },
        MAX_REPORTS,
      );
      return answer(feedback.map(serializeUserReport));
    },
  });
}

function serializeUserReport(feedback: Feedback): z.input<typeof userReportAnswer> {
  const { id, name, email, comments, dateCreated, user, eventID } = serializeFeedback(feedback);
  const about = eventID ?? "";
  return { id, name, email, comments, dateCreated, user, eventID: about, event: { id: about, eventID: about } };
}

function serializeFeedback(feedback: Feedback): z.input<typeof feedbackAnswer> {
  const { name, email, message, status, isRead, url, environment, release, traceId, replayId } = feedback;
  return {
    id: String(feedback.id),
    eventID: feedback.aboutEventId,
    ...{ name, email, comments: message, user: null, status, isRead, url, environment, release, traceId, replayId },
    dateCreated: toIso(feedback.receivedAt),
    issue: feedback.issueId === null ? null : { id: String(feedback.issueId) },
  };
}

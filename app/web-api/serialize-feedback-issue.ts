import { z } from "zod";
import type { Feedback } from "../domain/feedback/feedback.ts";
import { toFeedbackEventId, toFeedbackIssueId, toFeedbackShortId } from "../domain/feedback/feedback-issue-id.ts";
import type { Project } from "../domain/project.ts";
import { toIso } from "./answers.ts";
import { eventAnswer } from "./serialize-event.ts";
import { issueAnswer, serializeAssignee } from "./serialize-issue.ts";
import { serializeProjectBrief } from "./serialize-project.ts";
import { instant, projectBrief } from "./shapes.ts";

/** The longest title that is made from the text of the feedback. Characters. */
const MAX_TITLE = 200;

export const feedbackIssueId = z
  .string()
  .regex(/^UE?\d+$/)
  .describe("of feedback: no issue has it");

/** Feedback in the form of an issue. */
export const feedbackIssueAnswer = z.object({
  id: feedbackIssueId,
  shortId: z.string(),
  title: z.string(),
  culprit: z.string(),
  permalink: z.url(),
  level: z.literal("info"),
  status: z.enum(["unresolved", "resolved", "ignored"]).describe("`ignored`: in *Spam*"),
  statusDetails: z.object({}),
  substatus: z.null(),
  platform: z.string(),
  project: projectBrief,
  type: z.literal("feedback"),
  issueType: z.literal("feedback"),
  issueCategory: z.literal("feedback"),
  metadata: z.object({
    title: z.string(),
    message: z.string(),
    value: z.string().describe("the message; `sentry issue view` shows this"),
    name: z.string().nullable(),
    contact_email: z.string().nullable(),
    source: z.string(),
    associated_event_id: z.string().nullable().describe("the event that it is about"),
  }),
  assignedTo: issueAnswer.shape.assignedTo,
  hasSeen: z.boolean(),
  isUnhandled: z.literal(false),
  count: z.literal("1"),
  userCount: z.int(),
  firstSeen: instant,
  lastSeen: instant,
});

/** The only event of feedback that is shown as an issue. */
export const feedbackEventAnswer = eventAnswer.extend({ groupID: feedbackIssueId, type: z.literal("generic") });

export function serializeFeedbackIssue(
  feedback: Feedback,
  project: Project,
  baseUrl: string,
): z.input<typeof feedbackIssueAnswer> {
  const { id, name, email, url, status, isRead, assignee } = feedback;
  const at = toIso(feedback.receivedAt);
  return {
    id: toFeedbackIssueId(id),
    shortId: toFeedbackShortId(id, project.slug),
    title: toTitle(feedback),
    culprit: url ?? "",
    permalink: `${baseUrl}/feedback/${id}`,
    level: "info",
    status: status === "spam" ? "ignored" : status,
    statusDetails: {},
    substatus: null,
    platform: project.platform ?? "",
    project: serializeProjectBrief(project),
    type: "feedback",
    issueType: "feedback",
    issueCategory: "feedback",
    metadata: toMetadata(feedback),
    assignedTo: serializeAssignee(assignee),
    hasSeen: isRead,
    isUnhandled: false,
    count: "1",
    userCount: name === null && email === null ? 0 : 1,
    firstSeen: at,
    lastSeen: at,
  };
}

export function serializeFeedbackEvent(feedback: Feedback, project: Project): z.input<typeof feedbackEventAnswer> {
  const { id, name, email, message, url, release, environment, browser, traceId, replayId } = feedback;
  const eventId = toFeedbackEventId(feedback);
  const at = toIso(feedback.receivedAt);
  const tags = Object.entries({ environment, release, browser, url });
  return {
    id: eventId,
    eventID: eventId,
    "event.type": "generic",
    groupID: toFeedbackIssueId(id),
    projectID: String(project.id),
    project: project.id,
    title: toTitle(feedback),
    message,
    culprit: url,
    location: null,
    platform: project.platform ?? "",
    type: "generic",
    dateCreated: at,
    dateReceived: at,
    size: Buffer.byteLength(message),
    user: name === null && email === null ? null : { id: null, email, username: null, name, ip_address: null },
    tags: tags.flatMap(([key, value]) => (value === null ? [] : [{ key, value }])),
    metadata: toMetadata(feedback),
    logger: null,
    level: "info",
    release: release === null ? null : { version: release },
    dist: null,
    environment,
    contexts: {
      feedback: { type: "feedback", ...toMetadata(feedback), url, replay_id: replayId },
      ...(traceId !== null && { trace: { type: "trace", trace_id: traceId } }),
    },
    context: {},
    packages: {},
    sdk: null,
    entries: [{ type: "message", data: { formatted: message, message: null, params: null } }],
    errors: [],
    fingerprints: [],
    _meta: {},
    grouping: null,
    nextEventID: null,
    previousEventID: null,
  };
}

function toMetadata({ message, name, email, source, aboutEventId }: Feedback) {
  return {
    title: toLine(message),
    message,
    value: message,
    name,
    contact_email: email,
    source,
    associated_event_id: aboutEventId,
  };
}

function toTitle({ message }: Feedback): string {
  return `User Feedback: ${toLine(message)}`;
}

function toLine(message: string): string {
  const [line = ""] = message.trim().split(/[\r\n]/, 1);
  return line.slice(0, MAX_TITLE);
}

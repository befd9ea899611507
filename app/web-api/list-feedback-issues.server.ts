import { z } from "zod";
import type { Feedback } from "../domain/feedback/feedback.ts";
import type { Project } from "../domain/project.ts";
import type { Scope } from "../domain/scope.ts";
import { FEEDBACK_ISSUE_VOCABULARY } from "../domain/search/feedback-issue-vocabulary.ts";
import type { ParsedSearch } from "../domain/search/parse-search.ts";
import { toFeedbackId } from "../features/feedback/feedback-filters.ts";
import { findFeedbackFilter } from "../features/feedback/get-feedback-page.server.ts";
import { refusal, toIso } from "./answers.ts";
import { ISSUE_FILTER } from "./issue-filter.server.ts";
import { PAGING, requireCursor, toEnvironments, toPlace, toTimeFilter } from "./query.ts";
import { sayRefusal } from "./say-refusal.ts";
import { serializeProjectBrief } from "./serialize-project.ts";
import { instant, projectBrief } from "./shapes.ts";

/** The longest title that a list shows of what somebody wrote. */
const MAX_TITLE = 200;

/** Feedback in the form of an issue. It has no issue of its own: no other endpoint of issues knows its id. */
export const feedbackIssueAnswer = z.object({
  id: z
    .string()
    .regex(/^feedback--?\d+$/)
    .describe("of feedback: no issue has it"),
  shortId: z.string(),
  title: z.string(),
  culprit: z.string(),
  permalink: z.url(),
  level: z.literal("info"),
  status: z.enum(["unresolved", "resolved", "ignored"]).describe("`ignored`: in *Spam*"),
  substatus: z.null(),
  platform: z.string(),
  project: projectBrief,
  type: z.literal("feedback"),
  issueType: z.literal("feedback"),
  issueCategory: z.literal("feedback"),
  metadata: z.object({
    title: z.string(),
    message: z.string(),
    name: z.string().nullable(),
    contact_email: z.string().nullable(),
    source: z.string(),
  }),
  assignedTo: z.null(),
  hasSeen: z.boolean(),
  isUnhandled: z.literal(false),
  count: z.literal("1"),
  userCount: z.int(),
  firstSeen: instant,
  lastSeen: instant,
});

const listQuery = z.object({ ...ISSUE_FILTER, ...PAGING });

/** Feedback that a search finds, newest first, as tools that ask for issues read it. @throws a 400 answer. */
export async function listFeedbackIssues(
  { workspace, baseUrl, now }: { workspace: Parameters<typeof findFeedbackFilter>[0]; baseUrl: string; now: number },
  scope: Scope,
  { search, query }: { search: ParsedSearch; query: z.output<typeof listQuery> },
) {
  const { from, to } = toTimeFilter(query, { now, fallbackMs: 0 });
  const { where, errors } = await findFeedbackFilter(workspace, search, {
    ...toEnvironments(query),
    scope,
    now,
    vocabulary: FEEDBACK_ISSUE_VOCABULARY,
  });
  const [error] = errors;
  if (error) throw refusal(400, sayRefusal(error));
  const { cursor, limit } = toPlace(query, 25);
  requireCursor(cursor, toFeedbackId);
  const { feedback, nextBefore } = await workspace.state.feedback.listFeedback(scope, {
    status: null,
    where,
    before: cursor === null ? null : toFeedbackId(cursor),
    limit,
  });
  const projects = new Map((await workspace.state.projects.listProjects(scope)).map((each) => [each.id, each]));
  const taken = feedback.filter(
    ({ receivedAt }) => (from === null || receivedAt >= from) && (to === null || receivedAt < to),
  );
  // Newest first: behind one that is too old, all are.
  const isOver = from !== null && feedback.some(({ receivedAt }) => receivedAt < from);
  return {
    issues: taken.flatMap((each) => {
      const project = projects.get(each.projectId);
      return project ? [serialize(each, project, baseUrl)] : [];
    }),
    previousCursor: null,
    nextCursor: nextBefore === null || isOver ? null : String(nextBefore),
  };
}

function serialize(feedback: Feedback, project: Project, baseUrl: string): z.input<typeof feedbackIssueAnswer> {
  const { message, name, email, url, status, isRead, source } = feedback;
  const at = toIso(feedback.receivedAt);
  const [line = ""] = message.trim().split(/[\r\n]/, 1);
  return {
    id: `feedback-${feedback.id}`,
    shortId: `${project.slug.toUpperCase()}-FEEDBACK-${feedback.id}`,
    title: `User Feedback: ${line.slice(0, MAX_TITLE)}`,
    culprit: url ?? "",
    permalink: `${baseUrl}/feedback/${feedback.id}`,
    level: "info",
    status: status === "spam" ? "ignored" : status,
    substatus: null,
    platform: project.platform ?? "",
    project: serializeProjectBrief(project),
    type: "feedback",
    issueType: "feedback",
    issueCategory: "feedback",
    metadata: { title: line.slice(0, MAX_TITLE), message, name, contact_email: email, source },
    assignedTo: null,
    hasSeen: isRead,
    isUnhandled: false,
    count: "1",
    userCount: name === null && email === null ? 0 : 1,
    firstSeen: at,
    lastSeen: at,
  };
}

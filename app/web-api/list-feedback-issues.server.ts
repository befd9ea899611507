import { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import type { Feedback } from "../domain/feedback/feedback.ts";
import { readFeedbackIssueId } from "../domain/feedback/feedback-issue-id.ts";
import { narrowScope, type Scope } from "../domain/scope.ts";
import type { Condition } from "../domain/search/condition.ts";
import { FEEDBACK_ISSUE_VOCABULARY } from "../domain/search/feedback-issue-vocabulary.ts";
import { parseSearch } from "../domain/search/parse-search.ts";
import { toFeedbackId } from "../features/feedback/feedback-filters.ts";
import { findFeedbackFilter } from "../features/feedback/get-feedback-page.server.ts";
import { refusal } from "./answers.ts";
import { FALLBACK_RANGE_MS, ISSUE_FILTER } from "./issue-filter.server.ts";
import type { ISSUE_EVENTS_QUERY } from "./list-events.server.ts";
import { PAGING, requireCursor, toEnvironments, toPlace, toTimeFilter } from "./query.ts";
import { sayRefusal } from "./say-refusal.ts";
import { serializeFeedbackIssue } from "./serialize-feedback-issue.ts";

type FeedbackWorkspace = Pick<Workspace, "state" | "scope">;

const listQuery = z.object({ ...ISSUE_FILTER, ...PAGING });

const ONE_PAGE = { previousCursor: null, nextCursor: null };
const SHORT_ID = /(?<!\S)[a-z0-9][a-z0-9-]*-ue?[1-9]\d{0,14}(?!\S)/gi;

/** The feedback that the search names by its short id, and the rest of the search. Null: the search names none, or more than one. */
function findShortId(query: string): { feedbackId: number; rest: string } | null {
  const [shortId, ...more] = query.match(SHORT_ID) ?? [];
  // In quotes, a short id is text that people look for.
  if (shortId === undefined || more.length > 0 || query.includes('"')) return null;
  const feedbackId = readFeedbackIssueId(shortId);
  return feedbackId === null ? null : { feedbackId, rest: query.replace(shortId, "") };
}

/** A page of the feedback that a search finds, newest first, in the form of issues. @throws a 400 answer. */
export async function listFeedbackIssues(
  { workspace, baseUrl, now }: { workspace: FeedbackWorkspace; baseUrl: string; now: number },
  scope: Scope,
  query: z.output<typeof listQuery>,
) {
  const { cursor, limit } = toPlace(query, { fallback: 25 });
  requireCursor(cursor, toFeedbackId);
  const projects = new Map((await workspace.state.projects.listProjects(scope)).map((each) => [each.id, each]));
  const named = findShortId(query.query ?? "");
  if (named !== null) {
    const one = await workspace.state.feedback.getFeedback(scope, named.feedbackId);
    const project = one && projects.get(one.projectId);
    const isFound = project && (await isFeedbackFound(workspace, one, { query: { ...query, query: named.rest }, now }));
    return { issues: isFound ? [serializeFeedbackIssue(one, project, baseUrl)] : [], ...ONE_PAGE };
  }
  const { from, to } = toTimeFilter(query, { now, fallbackMs: FALLBACK_RANGE_MS });
  const where = await toWhere(workspace, query.query ?? "", { ...toEnvironments(query), scope, now });
  const { feedback, nextBefore } = await workspace.state.feedback.listFeedback(scope, {
    status: null,
    where,
    before: cursor === null ? null : toFeedbackId(cursor),
    limit,
  });
  const taken = feedback.filter(
    ({ receivedAt }) => (from === null || receivedAt >= from) && (to === null || receivedAt < to),
  );
  // Feedback comes newest first. After one that is too old, all others are too old as well.
  const isOver = from !== null && feedback.some(({ receivedAt }) => receivedAt < from);
  return {
    issues: taken.flatMap((each) => {
      const project = projects.get(each.projectId);
      return project ? [serializeFeedbackIssue(each, project, baseUrl)] : [];
    }),
    previousCursor: null,
    nextCursor: nextBefore === null || isOver ? null : String(nextBefore),
  };
}

/** Whether a search among the events of feedback finds its only event. @throws a 400 answer. */
export async function isFeedbackFound(
  workspace: FeedbackWorkspace,
  { id, projectId, receivedAt }: Feedback,
  { query, now }: { query: z.output<typeof ISSUE_EVENTS_QUERY>; now: number },
): Promise<boolean> {
  const { from, to } = toTimeFilter(query, { now, fallbackMs: FALLBACK_RANGE_MS });
  const scope = narrowScope(workspace.scope, [projectId]);
  const where = await toWhere(workspace, query.query ?? "", { ...toEnvironments(query), scope, now });
  if ((from !== null && receivedAt < from) || (to !== null && receivedAt >= to)) return false;
  const page = { status: null, where, before: id + 1, limit: 1 };
  const { feedback } = await workspace.state.feedback.listFeedback(scope, page);
  return feedback[0]?.id === id;
}

/** @throws a 400 answer for the first part that is not understood. */
async function toWhere(
  workspace: FeedbackWorkspace,
  search: string,
  question: { environments?: string[]; scope: Scope; now: number },
): Promise<Condition> {
  const options = { ...question, vocabulary: FEEDBACK_ISSUE_VOCABULARY };
  const { where, errors } = await findFeedbackFilter(workspace, parseSearch(search), options);
  const [error] = errors;
  if (error) throw refusal(400, sayRefusal(search, error));
  return where;
}

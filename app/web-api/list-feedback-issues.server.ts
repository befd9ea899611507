import { z } from "zod";
import type { Scope } from "../domain/scope.ts";
import { FEEDBACK_ISSUE_VOCABULARY } from "../domain/search/feedback-issue-vocabulary.ts";
import type { ParsedSearch } from "../domain/search/parse-search.ts";
import { toFeedbackId } from "../features/feedback/feedback-filters.ts";
import { findFeedbackFilter } from "../features/feedback/get-feedback-page.server.ts";
import { refusal } from "./answers.ts";
import { ISSUE_FILTER } from "./issue-filter.server.ts";
import { PAGING, requireCursor, toEnvironments, toPlace, toTimeFilter } from "./query.ts";
import { sayRefusal } from "./say-refusal.ts";
import { serializeFeedbackIssue } from "./serialize-feedback-issue.ts";

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
  const { cursor, limit } = toPlace(query, { fallback: 25 });
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
      return project ? [serializeFeedbackIssue(each, project, baseUrl)] : [];
    }),
    previousCursor: null,
    nextCursor: nextBefore === null || isOver ? null : String(nextBefore),
  };
}

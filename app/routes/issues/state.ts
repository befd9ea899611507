import { workspaceContext } from "../../context.ts";
import { toCurrentIssuePath } from "../../features/issues/current-issue-path.ts";
import { findIssue } from "../../features/issues/get-issue-page.server.ts";
import type { IssueState } from "../../features/issues/issue-page-news.ts";
import { listNewActivity } from "../../features/issues/list-new-activity.server.ts";
import type { Route } from "./+types/state.ts";

/**
 * The state of an issue, as JSON for an open page of it, and what others did since the entry `after` of its activity. A refusal is a status
 * and not a redirect, because no page is shown from here.
 */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const issue = await findIssue(workspace, params.issueId);
  if (!issue) return new Response("There is no such issue.", { status: 404 });
  const { status, substatus, eventCount } = issue;
  const done = await listNewActivity(workspace, { issueId: issue.id, after: url.searchParams.get("after") });
  const isSettled = (await workspace.state.issues.listUnsettled(workspace.scope, issue.id)).length === 0;
  const mergedInto = toCurrentIssuePath(issue, params.issueId, url) === null ? null : issue.shortId;
  return Response.json({ status, substatus, eventCount, mergedInto, isSettled, done } satisfies IssueState, {
    headers: { "cache-control": "private, no-store" },
  });
}

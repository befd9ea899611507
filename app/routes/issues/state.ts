import { workspaceContext } from "../../context.ts";
import { findIssue } from "../../features/issues/get-issue-page.server.ts";
import type { IssueState } from "../../features/issues/issue-page-news.ts";
import type { Route } from "./+types/state.ts";

/** How an issue stands, as JSON, for a page of it that is being looked at. Refuses with a status rather than a redirect. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const issue = await findIssue(context.get(workspaceContext), params.issueId);
  if (!issue) return new Response("There is no such issue.", { status: 404 });
  const { status, substatus, eventCount } = issue;
  return Response.json({ status, substatus, eventCount } satisfies IssueState, {
    headers: { "cache-control": "private, no-store" },
  });
}

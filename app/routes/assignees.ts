import { workspaceContext } from "../context.ts";
import { hasRight } from "../domain/scope.ts";
import { findIssue } from "../features/issues/get-issue-page.server.ts";
import { listAssigneeChoices } from "../features/issues/list-assignee-choices.server.ts";
import { suggestAssignees } from "../features/owners/suggest-assignees.server.ts";
import type { Route } from "./+types/assignees.ts";

const HEADERS = { "cache-control": "private, max-age=30", vary: "cookie" };
/** A page of the list has 25 issues. */
const MAX_ISSUES = 50;

/**
 * The members and teams who can get issues of the reader's projects, as JSON for the list. With `issue` (repeated) also who is suggested
 * for these issues.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const named = [...new Set(url.searchParams.getAll("issue"))];
  if (named.length === 0) return Response.json(await listAssigneeChoices(workspace, null), { headers: HEADERS });
  if (named.length > MAX_ISSUES) throw new Response(`issue: Name at most ${MAX_ISSUES}.`, { status: 400 });
  const found = await Promise.all(named.map((id) => findIssue(workspace, id)));
  const issues = found.filter((issue) => issue !== null);
  if (issues.length === 0) throw new Response("There is no such issue.", { status: 404 });
  const suggested = hasRight(workspace.scope, "event:write") ? await suggestAssignees(workspace, issues) : [];
  return Response.json(suggested, { headers: HEADERS });
}

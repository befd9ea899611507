import { workspaceContext } from "../context.ts";
import { hasRight } from "../domain/scope.ts";
import { findIssue } from "../features/issues/get-issue-page.server.ts";
import { listAssigneeChoices } from "../features/issues/list-assignee-choices.server.ts";
import { suggestOwners } from "../features/owners/suggest-owners.server.ts";
import type { Route } from "./+types/assignees.ts";

const HEADERS = { "cache-control": "private, max-age=30", vary: "cookie" };

/** Who can get issues of the reader's projects, as JSON for the list; with `issue`, who is suggested for that one. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const named = url.searchParams.get("issue");
  if (named === null) return Response.json(await listAssigneeChoices(workspace, null), { headers: HEADERS });
  const issue = await findIssue(workspace, named);
  if (issue === null) throw new Response("There is no such issue.", { status: 404 });
  const suggested = hasRight(workspace.scope, "event:write") ? await suggestOwners(workspace, issue) : [];
  return Response.json(suggested, { headers: HEADERS });
}

import { workspaceContext } from "../context.ts";
import { listAssigneeChoices } from "../features/issues/list-assignee-choices.server.ts";
import type { Route } from "./+types/assignees.ts";

/** Who can get issues of the reader's projects, as JSON for the list. */
export async function loader({ context }: Route.LoaderArgs) {
  const assignees = await listAssigneeChoices(context.get(workspaceContext), null);
  return Response.json(assignees, { headers: { "cache-control": "private, max-age=30", vary: "cookie" } });
}

import { workspaceContext } from "../../context.ts";
import { getIssuePreview } from "../../features/issues/get-issue-preview.server.ts";
import type { Route } from "./+types/preview.ts";

/** The card over the issue list, as JSON. A refusal is a status and not a redirect, because no page is shown from here. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const preview = await getIssuePreview(context.get(workspaceContext), {
    issueId: params.issueId,
    environments: url.searchParams.getAll("environment").filter(Boolean).slice(0, 100),
  });
  if (!preview) return new Response("There is no such issue.", { status: 404 });
  return Response.json(preview, { headers: { "cache-control": "private, max-age=10", vary: "cookie" } });
}

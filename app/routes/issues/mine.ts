import { data, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import { changeReader, READER_CHANGES } from "../../features/issues/change-reader.server.ts";
import { findIssue } from "../../features/issues/get-issue-page.server.ts";
import type { Route } from "./+types/mine.ts";

/** What concerns the reader alone: who may see an issue may subscribe to it and bookmark it. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const issue = await findIssue(workspace, params.issueId);
  if (!issue) throw data("There is no such issue.", { status: 404 });
  const intent = String((await request.formData()).get("intent"));
  const change = Object.hasOwn(READER_CHANGES, intent) ? READER_CHANGES[intent] : undefined;
  if (!change) throw data(`intent: Must be one of ${Object.keys(READER_CHANGES).join(", ")}.`, { status: 400 });
  await changeReader(workspace, { issueIds: [issue.id], ...change, now: Date.now() });
  // Without script, the page is what comes back; with script one stays where one is.
  const isPage = request.headers.get("accept")?.includes("text/html");
  return isPage ? redirect(`/issues/${issue.id}`) : new Response(null, { status: 204 });
}

export function loader({ params }: Route.LoaderArgs) {
  return redirect(`/issues/${params.issueId}`);
}

import { workspaceContext } from "../../context.ts";
import { getIssueMarkdown } from "../../features/issues/get-issue-markdown.server.ts";
import { answerMarkdown } from "../../features/markdown/answer-markdown.ts";
import type { Route } from "./+types/markdown.ts";

/** The issue's page as text for a chat or an assistant. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const baseUrl = workspace.settings.publicUrl ?? url.origin;
  return answerMarkdown(await getIssueMarkdown(workspace, { issueId: params.issueId, baseUrl }));
}

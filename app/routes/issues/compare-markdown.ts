import { workspaceContext } from "../../context.ts";
import { readComparisonChoice } from "../../features/events/comparison-choice.ts";
import { toComparisonMarkdown } from "../../features/events/comparison-markdown.ts";
import { getComparison } from "../../features/events/get-comparison.server.ts";
import { findIssue } from "../../features/issues/get-issue-page.server.ts";
import { answerMarkdown } from "../../features/markdown/answer-markdown.ts";
import type { Route } from "./+types/compare-markdown.ts";

/** The differences of two events, as text for a chat or an assistant. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const issue = await findIssue(workspace, params.issueId);
  const choice = readComparisonChoice(url.searchParams);
  const comparison = issue && choice.kind === "two" ? await getComparison(workspace, { issue, ...choice }) : null;
  if (!issue || !comparison) return answerMarkdown(null);
  const events = `${workspace.settings.publicUrl ?? url.origin}/issues/${issue.id}/events`;
  const links = { left: `${events}/${comparison.left.eventId}`, right: `${events}/${comparison.right.eventId}` };
  return answerMarkdown(toComparisonMarkdown(comparison, { title: issue.title, links }));
}

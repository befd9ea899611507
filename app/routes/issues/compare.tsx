import { data, redirect, useSearchParams } from "react-router";
import { workspaceContext } from "../../context.ts";
import { Comparison } from "../../features/events/comparison.tsx";
import { readComparisonChoice, toComparePath } from "../../features/events/comparison-choice.ts";
import { getComparison } from "../../features/events/get-comparison.server.ts";
import { findIssue } from "../../features/issues/get-issue-page.server.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { Route } from "./+types/compare.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const issue = await findIssue(workspace, params.issueId);
  if (!issue) throw data("There is no such issue.", { status: 404 });
  const choice = readComparisonChoice(url.searchParams);
  if (choice.kind === "wrong")
    return data({ issueId: issue.id, problem: choice.message, comparison: null }, { status: 400 });
  const [left = "", right = ""] = choice.kind === "two" ? [choice.left, choice.right] : choice.events.toReversed();
  // The list shows the newest event first, but this page has the older one at the left.
  if (choice.kind === "ticked") throw redirect(toComparePath(issue.id, { left, right }, url.searchParams));
  const comparison = await getComparison(workspace, { issue, left, right });
  if (!comparison) throw data("This issue does not have both events. One may have been deleted.", { status: 404 });
  return { issueId: issue.id, problem: null, comparison };
}

export default function CompareEventsPage({ loaderData: { issueId, problem, comparison } }: Route.ComponentProps) {
  const [search] = useSearchParams();
  if (comparison) return <Comparison comparison={comparison} issueId={issueId} search={search} />;
  return (
    <Card>
      <EmptyState
        title="Two events are needed"
        actions={<LinkButton to={`/issues/${issueId}/events`}>Back to the events</LinkButton>}
      >
        {problem}
      </EmptyState>
    </Card>
  );
}

export const handle = { section: "issues" };

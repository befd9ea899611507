import { data, useSearchParams } from "react-router";
import { workspaceContext } from "../../context.ts";
import { listIssueTags } from "../../features/events/list-issue-tags.server.ts";
import { TagDistributions } from "../../features/events/tag-distributions.tsx";
import { findIssue } from "../../features/issues/get-issue-page.server.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { Route } from "./+types/tags.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const issue = await findIssue(workspace, params.issueId);
  if (!issue) throw data("There is no such issue.", { status: 404 });
  const project = await workspace.state.projects.getProject(workspace.scope, issue.projectId);
  const tags = await listIssueTags(workspace, { issue, url, now: Date.now() });
  return { issueId: issue.id, project: project?.slug ?? "", tags };
}

export default function IssueTagsPage({ loaderData: { issueId, project, tags } }: Route.ComponentProps) {
  const [search] = useSearchParams();
  if (tags.tags.length === 0)
    return (
      <Card>
        <EmptyState
          isOfEvents
          title="No tags"
          actions={<LinkButton to={`/issues/${issueId}/tags`}>Clear the filter</LinkButton>}
        >
          No event in this time range and environment has a tag.
        </EmptyState>
      </Card>
    );
  return <TagDistributions distributions={tags} issueId={issueId} project={project} search={search} />;
}

export const handle = { section: "issues" };

import { data, useSearchParams } from "react-router";
import { workspaceContext } from "../../context.ts";
import { getSimilarPage } from "../../features/grouping/get-similar-page.server.ts";
import { GroupingComparisonPanel } from "../../features/grouping/grouping-comparison.tsx";
import { CompareForm, SimilarList } from "../../features/grouping/similar-list.tsx";
import { findIssue } from "../../features/issues/get-issue-page.server.ts";
import type { Route } from "./+types/similar.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const issue = await findIssue(workspace, params.issueId);
  if (!issue) throw data("There is no such issue.", { status: 404 });
  const page = await getSimilarPage(workspace, { issue, asked: (url.searchParams.get("with") ?? "").slice(0, 100) });
  return data(page, { status: page.problem === null ? 200 : 400 });
}

export default function SimilarIssuesPage({ loaderData: page }: Route.ComponentProps) {
  const [search] = useSearchParams();
  return (
    <div className="grid max-w-page grid-cols-[minmax(0,1fr)] gap-4">
      {page.comparison && <GroupingComparisonPanel issue={page.issue} comparison={page.comparison} />}
      <SimilarList page={page} />
      <CompareForm asked={search.get("with") ?? ""} problem={page.problem} />
    </div>
  );
}

export const handle = { section: "issues" };

import { workspaceContext } from "../../context.ts";
import { parseIssueFilters } from "../../features/issues/issue-filters.ts";
import { parseNewSince } from "../../features/issues/issue-news.ts";
import { listIssues } from "../../features/issues/list-issues.server.ts";
import type { Route } from "./+types/news.ts";

/**
 * The page of the list that the address names, and what is new since, as JSON, for a list that is open. A refusal is a status and not a
 * redirect, because no page is shown from here.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const view = await listIssues(context.get(workspaceContext), {
    filters: parseIssueFilters(url.searchParams),
    now: Date.now(),
    newSince: parseNewSince(url.searchParams),
  });
  return Response.json(view, { headers: { "cache-control": "private, no-store" } });
}

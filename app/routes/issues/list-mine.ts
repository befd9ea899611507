import { data, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import { changeListedReading } from "../../features/issues/change-listed-reading.server.ts";
import { parseIssueFilters } from "../../features/issues/issue-filters.ts";
import { sayIssuesChange } from "../../features/issues/say-issues-change.server.ts";
import type { Route } from "./+types/list-mine.ts";

/** Changes settings of the reader alone, for several issues: who may see them may subscribe to them, bookmark and snooze them. */
export async function action({ context, request, url }: Route.ActionArgs) {
  const form = await request.formData();
  const filters = parseIssueFilters(url.searchParams);
  const answer = await changeListedReading(context.get(workspaceContext), { form, filters, now: Date.now() });
  const said = sayIssuesChange(answer);
  return said.ok ? said : data(said, { status: 400 });
}

export function loader({ url }: Route.LoaderArgs) {
  return redirect(`/issues${url.search}`);
}

import { data, href, redirect, type ShouldRevalidateFunctionArgs } from "react-router";
import { workspaceContext } from "../../context.ts";
import { EventDetail } from "../../features/events/event-detail.tsx";
import { getEventCode } from "../../features/events/get-event-code.server.ts";
import { findIssueOfEvent, getEventPage } from "../../features/events/get-event-page.server.ts";
import { EventCodeScope } from "../../features/events/source-link.tsx";
import { withoutViewParameters } from "../../features/events/stack-options.ts";
import { findIssue } from "../../features/issues/get-issue-page.server.ts";
import { readIssuePageFilter } from "../../features/issues/issue-page-filter.ts";
import { SourceMapDoctor } from "../../features/source-maps/doctor-context.tsx";
import { toExplainContext } from "../../features/source-maps/explain-context.server.ts";
import { dropSilentReport } from "../../features/source-maps/explain-event.ts";
import type { Route } from "./+types/event.ts";

/** `/issues/:issueId` shows the latest event, `/issues/:issueId/events/:eventId` the named one, `first` or `latest`. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const issue = await findIssue(workspace, params.issueId);
  if (!issue) throw data("There is no such issue.", { status: 404 });
  const { events: filter } = readIssuePageFilter(workspace.scope, issue, url.searchParams, Date.now());
  const eventId = params.eventId ?? "latest";
  const page = await getEventPage(workspace, { issue, filter, eventId });
  // An issue's first event may be a moment late, and retention may have taken all; only a named event can be missing.
  if (!page && params.eventId !== undefined && eventId !== "latest" && eventId !== "first") {
    // A source map may have moved it to another issue since its address was written down.
    const movedTo = await findIssueOfEvent(workspace, { projectId: issue.projectId, eventId });
    if (movedTo === null) throw data("This issue has no such event.", { status: 404 });
    throw redirect(`${href("/issues/:issueId/events/:eventId", { issueId: String(movedTo), eventId })}${url.search}`);
  }
  const code = page?.stored
    ? await getEventCode(workspace, { projectId: issue.projectId, event: page.stored.event })
    : null;
  const explain = await toExplainContext(workspace, { projectId: issue.projectId, url });
  return {
    page: page && dropSilentReport(page, explain),
    code,
    explain,
    issueId: issue.id,
    baseUrl: workspace.settings.publicUrl ?? url.origin,
  };
}

export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  if ((formMethod && formMethod !== "GET") || currentUrl.href === nextUrl.href) return defaultShouldRevalidate;
  const isOnlyView =
    currentUrl.pathname === nextUrl.pathname && withoutViewParameters(currentUrl) === withoutViewParameters(nextUrl);
  return isOnlyView ? false : defaultShouldRevalidate;
}

export default function EventPage({ loaderData }: Route.ComponentProps) {
  return (
    <EventCodeScope code={loaderData.code}>
      <SourceMapDoctor page={loaderData.page} explain={loaderData.explain}>
        <EventDetail page={loaderData.page} issueId={loaderData.issueId} baseUrl={loaderData.baseUrl} />
      </SourceMapDoctor>
    </EventCodeScope>
  );
}

export const handle = { section: "issues" };

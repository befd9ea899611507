import { data, href, redirect, useOutletContext } from "react-router";
import { workspaceContext } from "../../context.ts";
import { readAttachmentsPage } from "../../features/events/attachment-list.tsx";
import { EventDetail } from "../../features/events/event-detail.tsx";
import { EventSections } from "../../features/events/event-sections.tsx";
import { getEventCode } from "../../features/events/get-event-code.server.ts";
import { findIssueOfEvent, getEventPage } from "../../features/events/get-event-page.server.ts";
import { EventCodeScope } from "../../features/events/source-link.tsx";
import { withoutViewParameters } from "../../features/events/stack-options.ts";
import { FeedbackAbout } from "../../features/feedback/feedback-about.tsx";
import { findIssue, type IssuePage } from "../../features/issues/get-issue-page.server.ts";
import { IssueGraph } from "../../features/issues/issue-graph.tsx";
import { readIssuePageFilter } from "../../features/issues/issue-page-filter.ts";
import { IssueSidebar } from "../../features/issues/issue-sidebar.tsx";
import { SourceMapDoctor } from "../../features/source-maps/doctor-context.tsx";
import { toExplainContext } from "../../features/source-maps/explain-context.server.ts";
import { dropSilentReport } from "../../features/source-maps/explain-event.ts";
import { keepWhileSame } from "../../navigation/keep-while-same.ts";
import type { Route } from "./+types/event.ts";

/** `/issues/:issueId` shows the latest event, `/issues/:issueId/events/:eventId` the named one, `first` or `latest`. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const issue = await findIssue(workspace, params.issueId);
  if (!issue) throw data("There is no such issue.", { status: 404 });
  const { events: filter } = readIssuePageFilter(workspace.scope, issue, url.searchParams, Date.now());
  const eventId = params.eventId ?? "latest";
  const attachmentsPage = readAttachmentsPage(url.searchParams);
  const page = await getEventPage(workspace, { issue, filter, eventId, attachmentsPage });
  // Only a named event can be missing. The first event of an issue may come a moment late, and retention may have deleted all events.
  if (!page && params.eventId !== undefined && eventId !== "latest" && eventId !== "first") {
    // A source map may have moved the event to another issue since its address was written down.
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
    baseUrl: workspace.settings.publicUrl ?? url.origin,
  };
}

export const shouldRevalidate = keepWhileSame((url) => `${url.pathname} ${withoutViewParameters(url)}`);

export default function EventPage({ loaderData }: Route.ComponentProps) {
  const issuePage = useOutletContext<IssuePage>();
  const { page, baseUrl } = loaderData;
  return (
    <EventCodeScope code={loaderData.code}>
      <SourceMapDoctor page={page} explain={loaderData.explain}>
        <div className="issue-columns">
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3">
            <IssueGraph page={issuePage} />
            <EventDetail page={page} issue={issuePage.issue} baseUrl={baseUrl} />
          </div>
          <aside aria-label="About this issue" className="issue-aside">
            <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-5">
              <FeedbackAbout about={issuePage.feedback} />
              <IssueSidebar page={issuePage} />
            </div>
            {page && <EventSections page={page} isList />}
          </aside>
        </div>
      </SourceMapDoctor>
    </EventCodeScope>
  );
}

export const handle = { section: "issues" };

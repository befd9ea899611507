import { data, Form, useSearchParams } from "react-router";
import { workspaceContext } from "../../context.ts";
import { EventTable } from "../../features/events/event-table.tsx";
import { listIssueEvents } from "../../features/events/list-issue-events.server.ts";
import { findIssue } from "../../features/issues/get-issue-page.server.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Input } from "../../ui/field.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import type { Route } from "./+types/events.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const issue = await findIssue(workspace, params.issueId);
  if (!issue) throw data("There is no such issue.", { status: 404 });
  return { issueId: issue.id, ...(await listIssueEvents(workspace, { issue, url, now: Date.now() })) };
}

export default function IssueEventsPage({ loaderData }: Route.ComponentProps) {
  const { issueId, events, previousCursor, nextCursor } = loaderData;
  const [search] = useSearchParams();
  const to = (cursor: string | null) => {
    if (cursor === null) return null;
    const next = new URLSearchParams(search);
    next.set("cursor", cursor);
    return `?${next}`;
  };
  return (
    <>
      <Panel
        title="Events"
        isFlush
        actions={
          <Form action="/events">
            <Input
              controlSize="sm"
              name="id"
              aria-label="Go to event by id"
              placeholder="Event id"
              className="w-40! font-mono"
              maxLength={40}
              required
            />
          </Form>
        }
      >
        {events.length === 0 ? (
          <EmptyState
            title="No event matches"
            actions={<LinkButton to={`/issues/${issueId}/events`}>Clear the filter</LinkButton>}
          >
            Try another time range, environment or tag.
          </EmptyState>
        ) : (
          <EventTable events={events} issueId={issueId} search={search} />
        )}
      </Panel>
      <Pagination label="Pages of events" previousTo={to(previousCursor)} nextTo={to(nextCursor)} />
    </>
  );
}

export const handle = { section: "issues" };

import { data, Link } from "react-router";
import { engineContext } from "../../context.ts";
import { EventTable } from "../../features/events/event-table.tsx";
import { listIssueEvents } from "../../features/events/list-issue-events.server.ts";
import { TagDistributions } from "../../features/events/tag-distributions.tsx";
import { findIssue } from "../../features/issues/get-issue-page.server.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import type { Route } from "./+types/events.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  const issue = await findIssue(engine, params.issueId);
  if (!issue) throw data("There is no such issue.", { status: 404 });
  return { issueId: issue.id, search: url.search, ...(await listIssueEvents(engine, { issue, url, now: Date.now() })) };
}

export default function IssueEventsPage({ loaderData }: Route.ComponentProps) {
  const { issueId, search, tags, events, previousCursor, nextCursor, distributions } = loaderData;
  const to = (cursor: string | null) => {
    if (cursor === null) return null;
    const next = new URLSearchParams(search);
    next.set("cursor", cursor);
    return `?${next}`;
  };
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <Link to={`/issues/${issueId}`} prefetch="intent" className="text-link">
          Latest event
        </Link>
        {tags.map(({ key, value }) => (
          <span
            key={`${key}:${value}`}
            className="inline-flex items-center gap-2 rounded-md bg-mark-wash px-2 py-0.5 font-mono text-xs"
          >
            {key}: {value}
            <Link
              to={withoutTag(search, `${key}:${value}`)}
              preventScrollReset
              aria-label={`Stop filtering by ${key} ${value}`}
              className="hover:underline"
            >
              ✕
            </Link>
          </span>
        ))}
      </p>
      <Panel title="Events" isFlush>
        {events.length === 0 ? (
          <EmptyState
            title="No event matches"
            actions={<LinkButton to={`/issues/${issueId}/events`}>Clear the filter</LinkButton>}
          >
            Another time range, environment or tag may have some.
          </EmptyState>
        ) : (
          <EventTable events={events} issueId={issueId} />
        )}
      </Panel>
      <Pagination label="Pages of events" previousTo={to(previousCursor)} nextTo={to(nextCursor)} />
      <TagDistributions distributions={distributions} search={search} />
    </>
  );
}

function withoutTag(search: string, tag: string): string {
  const next = new URLSearchParams(search);
  const rest = next.getAll("tag").filter((each) => each !== tag);
  next.delete("tag");
  next.delete("cursor");
  for (const each of rest) next.append("tag", each);
  return `?${next}`;
}

export const handle = { section: "issues" };

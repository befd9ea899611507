import { data, Form, useSearchParams } from "react-router";
import { workspaceContext } from "../../context.ts";
import { EventListNotes } from "../../features/events/event-list.tsx";
import { EventTable } from "../../features/events/event-table.tsx";
import { type IssueEvents, listIssueEvents } from "../../features/events/list-issue-events.server.ts";
import { findIssue } from "../../features/issues/get-issue-page.server.ts";
import { toKept } from "../../features/issues/issue-paths.ts";
import { SearchField } from "../../features/search/search-field.tsx";
import { SearchRefusal } from "../../features/search/search-refusal.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import type { Route } from "./+types/events.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const issue = await findIssue(workspace, params.issueId);
  if (!issue) throw data("There is no such issue.", { status: 404 });
  return {
    issueId: issue.id,
    list: await listIssueEvents(workspace, { issue, url, now: Date.now() }),
  };
}

export default function IssueEventsPage({ loaderData: { issueId, list } }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const to = (cursor: string | null) => {
    if (cursor === null) return null;
    const next = new URLSearchParams(search);
    next.set("cursor", cursor);
    return `?${next}`;
  };
  return (
    <>
      <EventSearchForm list={list} issueId={issueId} search={search} />
      <EventListNotes list={list} issueId={issueId} search={search} />
      <Card>
        {list.events.length === 0 ? (
          <NoEvents list={list} issueId={issueId} />
        ) : (
          <EventTable list={list} issueId={issueId} search={search} />
        )}
      </Card>
      <Pagination label="Pages of events" previousTo={to(list.previousCursor)} nextTo={to(list.nextCursor)} />
    </>
  );
}

/** A search, which keeps the other conditions of the page. */
function EventSearchForm({ list, issueId, search }: { list: IssueEvents; issueId: number; search: URLSearchParams }) {
  const others = [...toKept(search)].filter(([name]) => name !== "q");
  return (
    <Form role="search" className="event-search">
      <SearchField
        search={list.search}
        label="Search events"
        placeholder="Words or plan:pro"
        hint="All words must occur, unless OR stands between them. You can filter by keys like user:, trace: and level:, and by tags of events."
        subject={{ about: "events", issueId }}
        refusalId={list.problems.length > 0 ? "event-search-refusal" : undefined}
        errors={list.problems}
      />
      {others.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit">Search</Button>
      {list.problems.length > 0 && (
        <SearchRefusal id="event-search-refusal" search={list.search} errors={list.problems} />
      )}
    </Form>
  );
}

function NoEvents({ list, issueId }: { list: IssueEvents; issueId: number }) {
  const isRefused = list.problems.length > 0;
  return (
    <EmptyState
      isOfEvents={!isRefused}
      title={isRefused ? "The search is not understood" : "No event matches"}
      actions={<LinkButton to={`/issues/${issueId}/events`}>Clear the filter</LinkButton>}
    >
      {isRefused
        ? "Nothing was searched for. The sentence above says why."
        : list.isUnknownId
          ? `No event and no trace of this issue has the id ${list.search}.`
          : "Try other words, or another time range, environment or tag."}
    </EmptyState>
  );
}

export const handle = { section: "issues" };

import { Link } from "react-router";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import { Table, Td, Th } from "../../ui/table.tsx";
import { toIssuePath } from "../issues/issue-paths.ts";
import type { IssueEvents } from "./list-issue-events.server.ts";

/** `search`: the page's own, which goes along to the events. */
export function EventTable({
  events,
  issueId,
  search,
}: {
  events: IssueEvents["events"];
  issueId: number;
  search: URLSearchParams;
}) {
  return (
    <Table label="Events of this issue">
      <thead>
        <tr>
          <Th>Event</Th>
          <Th>When</Th>
          <Th>Title</Th>
          <Th>Environment</Th>
          <Th>Release</Th>
          <Th>User</Th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.eventId}>
            <Td className="whitespace-nowrap font-mono">
              <span className="inline-flex items-center gap-2">
                <LevelMark level={event.level} />
                <Link
                  to={toIssuePath(issueId, `/events/${event.eventId}`, search)}
                  prefetch="intent"
                  className="text-link"
                >
                  {event.eventId.slice(0, 8)}
                </Link>
              </span>
            </Td>
            <Td className="whitespace-nowrap">
              <AbsoluteTime at={event.occurredAt} />
            </Td>
            <Td className="min-w-64 font-mono">
              <span className="line-clamp-2">{event.title}</span>
            </Td>
            <Td className="whitespace-nowrap font-mono">{event.environment ?? <None />}</Td>
            <Td className="max-w-56 truncate font-mono" title={event.release ?? undefined}>
              {event.release ?? <None />}
            </Td>
            <Td className="max-w-48 truncate font-mono">
              {event.userKey?.slice(event.userKey.indexOf(":") + 1) ?? <None />}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function None() {
  return <span className="text-faint">none</span>;
}

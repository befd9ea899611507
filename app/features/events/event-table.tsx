import { useState } from "react";
import { Form, Link } from "react-router";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Button } from "../../ui/button.tsx";
import { useIsHydrated } from "../../ui/clock.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { toIssuePath, toKept } from "../issues/issue-paths.ts";
import { toComparePath } from "./comparison-choice.ts";
import type { EventItem, IssueEvents } from "./list-issue-events.server.ts";

/** Events, with one column for each tag that differs between them. `search`: that of the present page, which the links to events keep. */
export function EventTable({
  list: { events, columns },
  issueId,
  search,
}: {
  list: Pick<IssueEvents, "events" | "columns">;
  issueId: number;
  search: URLSearchParams;
}) {
  const [tickedCount, setTickedCount] = useState(0);
  const isHydrated = useIsHydrated();
  const other = search.get("with");
  const table = (
    <Table label="Events of this issue" className="event-table">
      <TableHead>
        <Th>
          <span className="sr-only">Compare</span>
        </Th>
        <Th>Event</Th>
        <Th>Time</Th>
        {columns.hasTitle && <Th>Title</Th>}
        {columns.hasUser && <Th>User</Th>}
        {columns.differing.map((key) => (
          <Th key={key} className="font-mono">
            {key}
          </Th>
        ))}
      </TableHead>
      <tbody>
        {events.map((event) => (
          <tr key={event.eventId}>
            <Td className="event-cell-choice">
              {other === null ? (
                <Checkbox
                  name="event"
                  value={event.eventId}
                  aria-label={`Compare event ${event.eventId.slice(0, 8)}`}
                />
              ) : event.eventId === other ? (
                <span className="text-muted text-xs">this one</span>
              ) : (
                <Link
                  to={toComparePath(issueId, { left: other, right: event.eventId }, search)}
                  className="text-link text-xs"
                >
                  Compare<span className="sr-only"> with event {event.eventId.slice(0, 8)}</span>
                </Link>
              )}
            </Td>
            <Td className="event-cell-id">
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
            <Td className="event-cell-time">
              <AbsoluteTime at={event.occurredAt} />
            </Td>
            {columns.hasTitle && (
              <Td className="event-cell-title" title={event.title}>
                <bdi>{event.title}</bdi>
              </Td>
            )}
            {columns.hasUser && (
              <Td className="event-cell-user" title={event.user ?? undefined}>
                {event.user === null ? <None /> : <bdi>{event.user}</bdi>}
              </Td>
            )}
            {columns.differing.map((key) => (
              <Td key={key} className="event-cell-tag" data-key={key}>
                <TagValue of={event.values[key]} />
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
  if (other !== null)
    return (
      <>
        <p className="event-compare">
          <span>
            Choose the event to compare with <code>{other.slice(0, 8)}</code>.
          </span>
          <Link to={`?${toKept(search)}`} className="text-link">
            Cancel
          </Link>
        </p>
        {table}
      </>
    );
  return (
    <Form
      action={`/issues/${issueId}/compare`}
      onChange={({ currentTarget }) => setTickedCount(new FormData(currentTarget).getAll("event").length)}
    >
      {[...toKept(search)].map(([name, value]) =>
        name === "q" ? null : <input key={`${name} ${value}`} type="hidden" name={name} value={value} />,
      )}
      <div className="event-compare">
        <Button type="submit" size="sm" disabled={isHydrated && tickedCount !== 2}>
          Compare
        </Button>
        <span role="status">{TICK_WORDS[tickedCount] ?? "Two can be compared: untick the others."}</span>
      </div>
      {table}
    </Form>
  );
}

const TICK_WORDS = ["Tick two events to see what differs.", "Tick another one.", "Two events are ticked."];

/** A rare value is bold and shows its share. */
function TagValue({ of }: { of: EventItem["values"][string] | undefined }) {
  if (of === undefined) return <None />;
  const { value, share } = of;
  if (value === "") return <span className="text-faint">(empty)</span>;
  return (
    <span className={share === null ? "event-value" : "event-value event-value-rare"} title={value}>
      <bdi className="truncate">{value}</bdi>
      {share !== null && (
        <span className="event-share" title="Share of the issue’s events with this value">
          {share < 0.01 ? "< 1%" : `${Math.round(share * 100)}%`}
        </span>
      )}
    </span>
  );
}

function None() {
  return <span className="text-faint">none</span>;
}

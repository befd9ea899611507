import { toAssigneeName } from "../../domain/issues/triage.ts";
import { Panel } from "../../ui/card.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { TriedEvent } from "./try-ownership.server.ts";

/** Which rule applies to which event, before the rules are saved. */
export function TriedEvents({ events }: { events: readonly TriedEvent[] }) {
  const owned = events.filter(({ assignee }) => assignee !== null).length;
  return (
    <Panel
      id="tried"
      title="Tried"
      description={`${owned} of ${events.length} ${events.length === 1 ? "event" : "events"} would have an owner by these rules. A try saves nothing.`}
      isFlush
    >
      {events.length === 0 ? (
        <p className="p-4 text-muted text-sm">There is no stored event that rules could be tried on.</p>
      ) : (
        <Table label="Events and the rules that take them">
          <TableHead>
            <Th>Event</Th>
            <Th>Rule</Th>
            <Th>Owner</Th>
          </TableHead>
          <tbody>
            {events.map(({ eventId, title, rule, assignee, isCut }) => (
              <tr key={eventId}>
                <Td>
                  <TextLink to={`/events/${eventId}`} className="wrap-anywhere line-clamp-2">
                    {title}
                  </TextLink>
                </Td>
                <Td>
                  {rule ? (
                    <span className="grid">
                      <span className="text-muted text-xs">Line {rule.line}</span>
                      <span className="wrap-anywhere font-mono text-xs">{rule.text}</span>
                    </span>
                  ) : (
                    <span className="text-muted">{isCut ? "None: the patterns cost too much" : "None"}</span>
                  )}
                </Td>
                <Td>
                  {assignee ? (
                    <bdi className="whitespace-nowrap">{toAssigneeName(assignee)}</bdi>
                  ) : (
                    <span className="text-muted">{rule?.hasOwners ? "Nobody who sees the project" : "Nobody"}</span>
                  )}
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

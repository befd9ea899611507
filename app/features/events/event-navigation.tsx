import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from "lucide-react";
import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Card } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Input } from "../../ui/field.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { toIssuePath } from "../issues/issue-paths.ts";
import type { EventPage } from "./get-event-page.server.ts";

/** An event that was so long on its way (offline, a queue, a clock that is off) says when it was received, too. */
const LATE_MS = 60_000;

/** Which of the issue's events this is, the way to the others, and the way down the page. */
export function EventNavigation({
  row,
  neighbours,
  issueId,
  search,
  sections,
}: {
  row: EventPage["row"];
  neighbours: EventPage["neighbours"];
  issueId: number;
  search: URLSearchParams;
  sections: Array<{ id: string; label: string }>;
}) {
  const to = (eventId: string | null) => (eventId === null ? null : toIssuePath(issueId, `/events/${eventId}`, search));
  const isFirst = neighbours?.firstEventId === row.eventId;
  const isLatest = neighbours?.latestEventId === row.eventId;
  return (
    <Card className="event-bar">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
        <nav aria-label="Events of this issue" className="flex items-center gap-1">
          <Step
            to={isFirst ? null : to(neighbours?.firstEventId ?? "first")}
            label="First event"
            icon={<ChevronsLeft />}
          />
          <Step
            to={to(neighbours?.previousEventId ?? null)}
            label="Previous event"
            shortcut="["
            icon={<ChevronLeft />}
          />
          <span className="tabular px-1 text-muted text-xs">
            {neighbours
              ? `${neighbours.place.toLocaleString("en")} of ${neighbours.total.toLocaleString("en")}`
              : "outside the filter"}
          </span>
          <Step to={to(neighbours?.nextEventId ?? null)} label="Next event" shortcut="]" icon={<ChevronRight />} />
          <Step
            to={isLatest ? null : to(neighbours?.latestEventId ?? "latest")}
            label="Latest event"
            icon={<ChevronsRight />}
          />
        </nav>
        <div className="mr-auto flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <span className="flex items-center gap-1 font-mono">
            <Link to={`/issues/${issueId}/events/${row.eventId}`} title={row.eventId} className="hover:underline">
              {row.eventId.slice(0, 8)}
            </Link>
            <CopyButton text={row.eventId} isIcon label="Copy event id" />
          </span>
          <span className="text-muted">
            <AbsoluteTime at={row.occurredAt} /> (<RelativeTime at={row.occurredAt} />)
          </span>
          {Math.abs(row.receivedAt - row.occurredAt) >= LATE_MS && (
            <span className="text-muted">
              received <RelativeTime at={row.receivedAt} />
            </span>
          )}
        </div>
        <Form action="/events" className="flex items-center gap-2">
          <Input
            controlSize="sm"
            name="id"
            aria-label="Go to event by id"
            placeholder="Event id"
            className="w-32! font-mono"
            maxLength={40}
            required
          />
        </Form>
        <Link to={toIssuePath(issueId, "/events", search)} prefetch="intent" className="text-link text-sm">
          All events
        </Link>
      </div>
      {sections.length > 0 && (
        <nav aria-label="Sections of this event" className="event-jumps">
          {sections.map(({ id, label }) => (
            <a key={id} href={`#${id}`}>
              {label}
            </a>
          ))}
        </nav>
      )}
    </Card>
  );
}

function Step({ to, label, shortcut, icon }: { to: string | null; label: string; shortcut?: string; icon: ReactNode }) {
  const look = "inline-flex size-7 items-center justify-center rounded-md pointer-coarse:size-9 [&_svg]:size-4";
  if (to === null) {
    return (
      <span role="img" aria-label={`${label}: there is none`} className={`${look} text-line-strong`}>
        {icon}
      </span>
    );
  }
  return (
    <Link
      to={to}
      prefetch="intent"
      preventScrollReset
      aria-label={label}
      data-tip={shortcut ? `${label}  ${shortcut}` : label}
      data-shortcut={shortcut}
      className={`${look} border border-line-strong text-muted hover:bg-hover hover:text-ink`}
    >
      {icon}
    </Link>
  );
}

import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, Columns2, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { buttonClassNames } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Menu } from "../../ui/menu.tsx";
import type { MenuItem } from "../../ui/menu-item.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { useMay } from "../frame/use-may.tsx";
import { toIssuePath } from "../issues/issue-paths.ts";
import { toComparePath } from "./comparison-choice.ts";
import type { EventPage } from "./get-event-page.server.ts";

/** The place of this event among those of the issue, with links to the others. On the right are the actions in `children`. */
export function EventNavigation({
  row,
  neighbours,
  issueId,
  search,
  children,
}: {
  row: EventPage["row"];
  neighbours: EventPage["neighbours"];
  issueId: number;
  search: URLSearchParams;
  children?: ReactNode;
}) {
  const to = (eventId: string | null) => (eventId === null ? null : toIssuePath(issueId, `/events/${eventId}`, search));
  const isFirst = neighbours?.firstEventId === row.eventId;
  const isLatest = neighbours?.latestEventId === row.eventId;
  return (
    <div className="event-bar">
      <nav aria-label="Events of this issue" className="flex items-center gap-1">
        <Step
          to={isFirst ? null : to(neighbours?.firstEventId ?? "first")}
          label="First event"
          icon={<ChevronsLeft />}
        />
        <Step to={to(neighbours?.previousEventId ?? null)} label="Previous event" shortcut="[" icon={<ChevronLeft />} />
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
      <div className="mr-auto flex min-w-0 flex-wrap items-center gap-x-2.5 text-xs">
        <span className="flex items-center gap-0.5 font-mono">
          <Link to={`/issues/${issueId}/events/${row.eventId}`} title={row.eventId} className="hover:underline">
            {row.eventId.slice(0, 8)}
          </Link>
          <CopyButton text={row.eventId} isIcon label="Copy event id" />
        </span>
        <CompareMenu row={row} neighbours={neighbours} issueId={issueId} search={search} />
        <DeleteEvent issueId={issueId} eventId={row.eventId} isOnly={neighbours?.total === 1 && search.size === 0} />
        <span className="text-muted">
          <AbsoluteTime at={row.occurredAt} />{" "}
          <span className="max-lg:hidden">
            (<RelativeTime at={row.occurredAt} />)
          </span>
        </span>
      </div>
      {children}
    </div>
  );
}

/** Links to comparisons with a neighbour, or with an event chosen from the list. */
function CompareMenu({
  row,
  neighbours,
  issueId,
  search,
}: {
  row: EventPage["row"];
  neighbours: EventPage["neighbours"];
  issueId: number;
  search: URLSearchParams;
}) {
  const others: Array<[label: string, eventId: string | null | undefined]> = [
    ["Previous event", neighbours?.previousEventId],
    ["Next event", neighbours?.nextEventId],
    ["First event", neighbours?.firstEventId],
    ["Latest event", neighbours?.latestEventId],
  ];
  const items = others.flatMap(([label, eventId]): MenuItem[] =>
    !eventId || eventId === row.eventId
      ? []
      : [{ kind: "link", label, to: toComparePath(issueId, { left: row.eventId, right: eventId }, search) }],
  );
  const list = toIssuePath(issueId, "/events", search);
  return (
    <Menu
      label="Compare with another event"
      trigger={<Columns2 aria-hidden="true" className="size-4" />}
      triggerClassName={`${buttonClassNames("quiet", "sm")} size-7! px-0!`}
      items={[
        { kind: "heading", label: "Compare with" },
        ...items,
        { kind: "link", label: "One of the list…", to: `${list}${list.includes("?") ? "&" : "?"}with=${row.eventId}` },
      ]}
    />
  );
}

function DeleteEvent({ issueId, eventId, isOnly }: { issueId: number; eventId: string; isOnly: boolean }) {
  if (!useMay("event:admin")) return null;
  return (
    <ConfirmDialog
      title="Delete this event?"
      trigger={{
        variant: "quiet",
        size: "sm",
        className: "size-7! px-0!",
        icon: <Trash2 aria-hidden="true" />,
        "aria-label": "Delete this event…",
        title: "Delete this event…",
      }}
      explanation={
        <>
          <p>
            It is gone at once with its attachments and what users said of it, and from the payload files within a day.
            This cannot be undone.
          </p>
          <p>
            {isOnly
              ? "It is the only event that is stored of this issue: the issue goes with it."
              : "The issue counts it no more."}
          </p>
        </>
      }
    >
      <ButtonForm
        action={`/issues/${issueId}`}
        fields={{ event: eventId }}
        name="intent"
        value="delete-event"
        variant="danger"
      >
        Delete event
      </ButtonForm>
    </ConfirmDialog>
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

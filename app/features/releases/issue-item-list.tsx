import { Link } from "react-router";
import { Badge } from "../../ui/badge.tsx";
import { Count } from "../../ui/count.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { IssueStatusBadge } from "../issues/issue-status-badge.tsx";
import type { IssueItem } from "./to-issue-items.server.ts";

/** A short list of issues: title, state, and when they were last seen. */
export function IssueItemList({ label, issues }: { label: string; issues: readonly IssueItem[] }) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {issues.map((issue) => (
        <li key={issue.id} className="grid gap-x-6 gap-y-1 px-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_auto]">
          <div className="min-w-0">
            <Link to={`/issues/${issue.id}`} prefetch="intent" className="group grid min-w-0">
              <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-sm">
                <span className="flex min-w-0 items-baseline gap-x-2">
                  <LevelMark level={issue.level} />
                  <strong className="wrap-anywhere min-w-0 font-mono font-semibold group-hover:underline">
                    {issue.type ?? issue.title}
                  </strong>
                </span>
                <span className="min-w-0 truncate font-mono text-muted">{issue.culprit}</span>
              </span>
              {issue.type && issue.value && <span className="truncate font-mono text-sm">{issue.value}</span>}
            </Link>
            <p className="flex flex-wrap items-center gap-2 pt-1 text-muted text-xs">
              <span className="font-mono">{issue.shortId}</span>
              <IssueStatusBadge status={issue.status} substatus={issue.substatus} />
              {issue.isUnhandled && <Badge tone="error">Unhandled</Badge>}
            </p>
          </div>
          <p className="flex items-baseline gap-4 text-muted text-xs sm:justify-end">
            <span className="whitespace-nowrap">
              last seen <RelativeTime at={issue.lastSeenAt} />
            </span>
            <span className="whitespace-nowrap">
              <Count value={issue.eventCount} unit={sayUnit(issue.eventCount)} />{" "}
              <span aria-hidden="true">{sayUnit(issue.eventCount)}</span>
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}

/** The number counts all releases: the page of one release may show fewer. */
const sayUnit = (count: number) => (count === 1 ? "event in all" : "events in all");

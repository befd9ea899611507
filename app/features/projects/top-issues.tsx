import { Link } from "react-router";
import { Count } from "../../ui/count.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import { Sparkline } from "../../ui/sparkline.tsx";
import { IssueStatusBadge } from "../issues/issue-status-badge.tsx";
import type { TopIssue } from "./get-project-overview.server.ts";

/** The most important issues, with a line or two each. */
export function TopIssues({ issues }: { issues: readonly TopIssue[] }) {
  return (
    <ul aria-label="Top issues" className="top-issues">
      {issues.map((issue) => (
        <li key={issue.id}>
          <Link to={`/issues/${issue.id}`} prefetch="intent" className="group min-w-0">
            <span className="flex min-w-0 items-baseline gap-2 font-mono text-sm">
              <LevelMark level={issue.level} />
              <strong className="max-w-full shrink-0 truncate font-semibold group-hover:underline">
                <bdi>{issue.type ?? issue.title}</bdi>
              </strong>
              {issue.type !== null && (
                <span className="min-w-0 truncate text-muted max-sm:hidden">
                  <bdi>{issue.value}</bdi>
                </span>
              )}
            </span>
          </Link>
          <p className="top-issue-facts">
            <span className="font-mono">{issue.shortId}</span>
            {issue.substatus !== "ongoing" && <IssueStatusBadge status={issue.status} substatus={issue.substatus} />}
          </p>
          <Sparkline
            label={`Events of ${issue.shortId} in the last 14 days`}
            values={issue.trend}
            className="top-issue-trend"
          />
          <p className="top-issue-events" data-unit={issue.eventCount === 1 ? "event" : "events"}>
            <Count value={issue.eventCount} unit={issue.eventCount === 1 ? "event" : "events"} />
          </p>
          <p className="top-issue-users" data-unit={issue.userCount === 1 ? "user" : "users"}>
            <Count value={issue.userCount} unit={issue.userCount === 1 ? "user" : "users"} />
          </p>
        </li>
      ))}
    </ul>
  );
}

// biome-ignore-all lint/a11y/noRedundantRoles: phones lay the table out as a grid, and some browsers then forget its roles

import { memo } from "react";
import { Link } from "react-router";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Count } from "../../ui/count.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Sparkline } from "../../ui/sparkline.tsx";
import { PlatformMark } from "../projects/platform-mark.tsx";
import { AssigneeName } from "./assignee-name.tsx";
import { IssueStatusBadge } from "./issue-status-badge.tsx";
import type { IssueListItem } from "./list-issues.server.ts";
import { PrioritySign } from "./priority-sign.tsx";

/** One issue of the list. All its words are one link; the check box selects it. */
export const IssueRow = memo(function IssueRow({
  issue,
  rangeLabel,
  trendLabel,
  search,
  isLeaving,
  mayChange,
}: {
  issue: IssueListItem;
  /** The time in which the events are counted: `in the last 14 days`. */
  rangeLabel: string;
  /** The time that the trend covers. */
  trendLabel: string;
  /** The filters of the list that also apply to the issue's page. Empty, or starts with a question mark. */
  search: string;
  /** Its status is being changed, so it will leave the list. */
  isLeaving: boolean;
  /** Whether the reader may change the issue for everybody. */
  mayChange: boolean;
}) {
  const { title, type, value, culprit } = issue;
  // A message has no type: its first line is the title, and the rest is shown below.
  const headline = type ?? title;
  const below = type ? value : value === title ? "" : value;
  const inTrend = issue.trend.reduce((sum, count) => sum + count, 0);
  return (
    <tr
      role="row"
      className="issue-row"
      data-level={issue.level}
      data-issue={issue.id}
      data-leaving={isLeaving || undefined}
      data-seen={issue.hasSeen || undefined}
    >
      <td role="cell" className="issue-check">
        <label className={mayChange ? undefined : "needs-script"}>
          <span className="sr-only">Select {issue.shortId}</span>
          <input type="checkbox" name="issue" value={issue.id} className="checkbox" autoComplete="off" />
        </label>
      </td>
      <td role="cell" className="issue-main">
        <Link to={`/issues/${issue.id}${search}`} prefetch="intent" className="issue-link" aria-keyshortcuts="Space">
          <span className="issue-headline">
            <LevelMark level={issue.level} />
            <strong>
              <bdi>{headline}</bdi>
            </strong>
            {culprit && (
              <span className="issue-culprit">
                <bdi>{culprit}</bdi>
              </span>
            )}
          </span>
          {below && (
            <span className="issue-value">
              <bdi>{firstLine(below)}</bdi>
            </span>
          )}
        </Link>
        <div className="issue-meta">
          <span className="issue-short-id">
            <PlatformMark family={issue.project.family} className="size-4" />
            {issue.shortId}
          </span>
          <IssueStatusBadge status={issue.status} substatus={issue.substatus} />
          {issue.isUnhandled && <Badge tone="error">Unhandled</Badge>}
          <PrioritySign priority={issue.priority} isSet={issue.isPrioritySet} />
          {issue.assignee && <AssigneeName assignee={issue.assignee} />}
          {issue.commentCount > 0 && (
            <span>
              {issue.commentCount} {issue.commentCount === 1 ? "comment" : "comments"}
            </span>
          )}
          {issue.isBookmarked && <span>Bookmarked</span>}
          {issue.snoozedUntil !== null && (
            <span>
              Snoozed until <AbsoluteTime at={issue.snoozedUntil} />
            </span>
          )}
          {issue.logger && <span className="issue-logger">{issue.logger}</span>}
        </div>
      </td>
      <td role="cell" className="issue-seen">
        <RelativeTime at={issue.lastSeenAt} />
      </td>
      <td role="cell" className="issue-age">
        <RelativeTime at={issue.firstSeenAt} form="age" />
      </td>
      <td role="cell" className="issue-trend">
        <Sparkline
          values={issue.trend}
          label={`${inTrend} ${inTrend === 1 ? "event" : "events"} in the ${trendLabel}`}
        />
      </td>
      <td role="cell" className="issue-events" data-unit={issue.matchingEventCount === 1 ? "event" : "events"}>
        <Count
          value={issue.matchingEventCount}
          unit={issue.matchingEventCount === 1 ? "event" : "events"}
          detail={`${rangeLabel} (${issue.eventCount.toLocaleString("en")} in all)`}
        />
      </td>
      <td
        role="cell"
        className="issue-users"
        data-unit={issue.userCount === 1 ? "user" : "users"}
        data-zero={issue.userCount === 0 || undefined}
      >
        <Count value={issue.userCount} unit={issue.userCount === 1 ? "user" : "users"} />
      </td>
    </tr>
  );
});

function firstLine(text: string): string {
  const end = text.search(/[\r\n]/);
  return (end < 0 ? text : text.slice(0, end)).slice(0, 400);
}

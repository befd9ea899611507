import { Link } from "react-router";
import { LevelMark } from "../../ui/level-mark.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { AssigneeName } from "../issues/assignee-name.tsx";
import { PrioritySign } from "../issues/priority-sign.tsx";
import type { DayPart } from "./get-day.server.ts";

/** One part of a person's day: a few issues, and a link to all of them. */
export function DayList({ part }: { part: DayPart }) {
  const { key, title, none, path, link, issues, matchingCount } = part;
  const id = `day-${key}`;
  return (
    <section aria-labelledby={id} className="day-part">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id={id} className="text-base">
          {title}
          {matchingCount > 0 && <span className="pl-2 font-normal text-muted text-sm">{sayCount(matchingCount)}</span>}
        </h2>
        {matchingCount > 0 && <TextLink to={path}>{link}</TextLink>}
      </div>
      {issues.length === 0 ? (
        <p className="text-muted text-sm">{none}</p>
      ) : (
        <ul className="day-issues">
          {issues.map((issue) => (
            <li key={issue.id}>
              <Link to={`/issues/${issue.id}`} prefetch="intent" className="day-issue">
                <LevelMark level={issue.level} />
                <strong>
                  <bdi>{issue.type ?? issue.title}</bdi>
                </strong>
                {issue.type && (
                  <span className="text-muted">
                    <bdi>{issue.value}</bdi>
                  </span>
                )}
              </Link>
              <div className="day-facts">
                <span className="font-mono">{issue.shortId}</span>
                <PrioritySign priority={issue.priority} isSet={issue.isPrioritySet} />
                {issue.assignee && <AssigneeName assignee={issue.assignee} />}
                <span>{issue.eventCount === 1 ? "1 event" : `${issue.eventCount.toLocaleString("en")} events`}</span>
                <RelativeTime at={issue.lastSeenAt} />
                {issue.change && <span className="font-semibold text-ink">{issue.change}</span>}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The count in words. The store counts up to a thousand. */
function sayCount(count: number): string {
  return count >= 1_000 ? "1,000+" : String(count);
}

import { Link } from "react-router";
import { Panel } from "../../ui/card.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { LevelMark } from "../../ui/level-mark.tsx";
import type { TraceError } from "./get-trace-page.server.ts";

/** The errors of a trace by time, each with a link to its event. */
export function TraceErrors({ errors }: { errors: readonly TraceError[] }) {
  if (errors.length === 0) return null;
  return (
    <Panel title="Errors" isFlush>
      <ul className="trace-errors">
        {errors.map(({ eventId, issueId, title, level, atUs, project }) => (
          <li key={eventId}>
            <LevelMark level={level} />
            <Link
              to={`/issues/${issueId}/events/${eventId}`}
              prefetch="intent"
              className="min-w-0 truncate font-mono underline"
            >
              <bdi>{title}</bdi>
            </Link>
            <span className="whitespace-nowrap text-muted">{project}</span>
            <span className="tabular ml-auto whitespace-nowrap text-muted">
              {atUs >= 0 ? "+" : ""}
              {formatDuration(atUs)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

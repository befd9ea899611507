import { MAX_RELEASES_BY_EVENTS_PER_DAY } from "../../domain/releases/name-releases.ts";
import { Notice } from "../../ui/notice.tsx";
import type { LeftOutDay } from "./list-releases.server.ts";

const MAX_SHOWN = 5;

/** Says which events have no release here because too many new ones were named. */
export function LeftOutReleasesNotice({ days }: { days: readonly LeftOutDay[] }) {
  if (days.length === 0) return null;
  const further = days.length - MAX_SHOWN;
  return (
    <Notice tone="warning" title="Events named too many new releases" className="mb-2">
      <ul className="grid gap-1">
        {days.slice(0, MAX_SHOWN).map(({ projectId, projectName, dayAt, eventCount, lastVersion }) => (
          <li key={`${projectId} ${dayAt}`} className="wrap-anywhere">
            {projectName}, {new Date(dayAt).toISOString().slice(0, 10)} (UTC): {eventCount.toLocaleString("en")}{" "}
            {eventCount === 1 ? "event names a release" : "events name releases"} that {eventCount === 1 ? "is" : "are"}{" "}
            not listed here, the last <code>{lastVersion}</code>.
          </li>
        ))}
        {further > 0 && <li>And {further} more days.</li>}
      </ul>
      <p className="pt-1">
        The events of a project make at most {MAX_RELEASES_BY_EVENTS_PER_DAY.toLocaleString("en")} releases a day. A
        release should name a build: does yours have a part that differs from event to event, like a time?
      </p>
    </Notice>
  );
}

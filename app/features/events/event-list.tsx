import { Link } from "react-router";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { toIssuePath } from "../issues/issue-paths.ts";
import type { IssueEvents } from "./list-issue-events.server.ts";

const SHOWN_ALIKE = 6;

/** Notes above the table: the tags that are the same in all events, and how far back the search looked. */
export function EventListNotes({
  list: { columns, compared, searchedFrom },
  issueId,
  search,
}: {
  list: Pick<IssueEvents, "columns" | "compared" | "searchedFrom">;
  issueId: number;
  search: URLSearchParams;
}) {
  const { alike } = columns;
  const more = alike.length - SHOWN_ALIKE;
  if (alike.length === 0 && searchedFrom === null) return null;
  return (
    <div className="event-notes">
      {searchedFrom !== null && (
        <p role="status">
          The newest 100,000 events were searched, back to <AbsoluteTime at={searchedFrom} />. Choose a time range that
          ends earlier, or another environment, to search others.
        </p>
      )}
      {alike.length > 0 && compared.events > 1 && (
        <ul className="event-alike" aria-label="Tags that are the same in all events">
          <li className="font-sans!">
            {compared.isSampled ? `Same in the newest ${compared.events.toLocaleString("en")}:` : "Same in all:"}
          </li>
          {alike.slice(0, SHOWN_ALIKE).map(([key, value]) => (
            <li key={key} title={`${key}: ${value}`}>
              {key} <strong>{value === "" ? "(empty)" : value}</strong>
            </li>
          ))}
          {more > 0 && (
            <li>
              <Link to={toIssuePath(issueId, "/tags", search)} className="text-link font-sans">
                {more} more
              </Link>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

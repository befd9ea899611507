import { Link } from "react-router";
import { toIssuePath, withTag } from "../issues/issue-paths.ts";

/** Tags as pairs. Each value links to the issue's events that have it, within the filters in `search`. */
export function TagList({
  tags,
  user,
  issueId,
  search,
}: {
  tags: ReadonlyArray<[key: string, value: string]>;
  /** The display name of the event's user. Null: the event has none. */
  user: string | null;
  issueId: number;
  search: URLSearchParams;
}) {
  return (
    <dl className="tags">
      {[...tags]
        .sort(([a], [b]) => a.localeCompare(b, "en"))
        .map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>
              <Link
                to={toIssuePath(issueId, "/events", withTag(search, key, value))}
                prefetch="intent"
                title={`Events of this issue with ${key} ${value}`}
              >
                <bdi>{key === "user" && user !== null ? user : value}</bdi>
              </Link>
            </dd>
          </div>
        ))}
    </dl>
  );
}

import { Link } from "react-router";
import { toIssuePath, withTag } from "../issues/issue-paths.ts";

/** Tags as pairs; each value leads to the issue's events that carry it, among those that `search` leaves. */
export function TagList({
  tags,
  user,
  issueId,
  search,
}: {
  tags: ReadonlyArray<[key: string, value: string]>;
  /** The event's, as people know them. */
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

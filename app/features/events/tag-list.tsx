import { Link } from "react-router";

/** Tags as pairs; each value leads to the issue's events that carry it. */
export function TagList({ tags, issueId }: { tags: ReadonlyArray<[key: string, value: string]>; issueId: number }) {
  return (
    <dl className="tags">
      {[...tags]
        .sort(([a], [b]) => a.localeCompare(b, "en"))
        .map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>
              <Link
                to={`/issues/${issueId}/events?${new URLSearchParams({ tag: `${key}:${value}` })}`}
                prefetch="intent"
                title={`Events of this issue with ${key} ${value}`}
              >
                {value}
              </Link>
            </dd>
          </div>
        ))}
    </dl>
  );
}

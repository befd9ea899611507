/** Parameters for the place in a list and for comparisons. They mean nothing on another page of the issue. */
const OF_ONE_PAGE = ["cursor", "left", "right", "show", "with", "event", "files"];

/** The parameters that all pages of an issue share. */
export function toKept(search: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...search].filter(([name]) => !OF_ONE_PAGE.includes(name)));
}

/**
 * An address of the same issue. It keeps the filters and display settings, so that they hold from page to page, and drops the place
 * in a list. `below`: `/events`, `/events/<id>`; empty for the latest event.
 */
export function toIssuePath(issueId: number, below: string, search: URLSearchParams): string {
  const kept = toKept(search);
  return `/issues/${issueId}${below}${kept.size > 0 ? `?${kept}` : ""}`;
}

/** The search with one more tag that events must have. */
export function withTag(search: URLSearchParams, key: string, value: string): URLSearchParams {
  const next = new URLSearchParams(search);
  const tag = `${key}:${value}`;
  if (!next.getAll("tag").includes(tag)) next.append("tag", tag);
  next.delete("cursor");
  return next;
}

export function withoutTag(search: URLSearchParams, key: string, value: string): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete("tag", `${key}:${value}`);
  next.delete("cursor");
  return next;
}

const TABS = ["events", "tags", "similar", "split", "share"] as const;

/** The view of an issue at this path. Null: the view of one event. */
export function findTab(pathname: string): (typeof TABS)[number] | null {
  if (pathname.endsWith("/compare")) return "events";
  return TABS.find((name) => pathname.endsWith(`/${name}`)) ?? null;
}

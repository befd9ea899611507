import { ISSUE_RANGES, type IssueSort, parseIssueFilters, toIssueListPath } from "../issues/issue-filters.ts";
import { toReleasePath } from "../releases/release-paths.ts";

const SORTS: Record<string, IssueSort> = { date: "last_seen", new: "first_seen", freq: "events", user: "users" };

/**
 * Where an address of Sentry's pages leads here: its tools print `/organizations/acme/issues/SHOP-1/`. `path`: after the
 * organization, percent-encoded. Projects that are not known stay as they are named, so that the list says so.
 */
export function fromSentryPath(
  path: string,
  search: URLSearchParams,
  projects: ReadonlyArray<{ id: number; slug: string }>,
): string {
  const [page = "", name, ...rest] = path.split("/").filter((segment) => segment !== "");
  if (page === "releases") return name === undefined ? "/releases" : toReleasePath(decode(name));
  if (page === "projects") return name === undefined ? "/projects" : `/projects/${name}`;
  if (page !== "issues" || name === undefined) return toListPath(search, projects);
  const [below, eventId] = rest;
  const isEvent = below === "events" && eventId !== undefined && !/^(latest|recommended)$/.test(eventId);
  return isEvent ? `/issues/${name}/events/${eventId}` : `/issues/${name}`;
}

function toListPath(search: URLSearchParams, projects: ReadonlyArray<{ id: number; slug: string }>): string {
  const own = new URLSearchParams();
  const query = search.get("query");
  if (query !== null) own.set("q", query);
  for (const name of search.getAll("environment")) own.append("environment", name);
  for (const name of search.getAll("project")) {
    if (name !== "-1") own.append("project", projects.find(({ id }) => String(id) === name)?.slug ?? name);
  }
  const range = ISSUE_RANGES.find(({ value }) => value === search.get("statsPeriod"));
  if (range) own.set("range", range.value);
  const sort = SORTS[search.get("sort") ?? ""];
  if (sort) own.set("sort", sort);
  return toIssueListPath(parseIssueFilters(own));
}

/** Text that is not well encoded is taken as it is. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

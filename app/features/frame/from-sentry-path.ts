import { readFeedbackIssueId } from "../../domain/feedback/feedback-issue-id.ts";
import { isRecord } from "../../domain/is-record.ts";
import { readFeedbackCategory } from "../../domain/search/issue-category.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { readSpanFigure } from "../../domain/spans/span-figure.ts";
import { readExploreOptions, toExplorePath } from "../explore/explore-options.ts";
import { parseFeedbackFilters, toFeedbackPath } from "../feedback/feedback-filters.ts";
import { ISSUE_RANGES, type IssueSort, parseIssueFilters, toIssueListPath } from "../issues/issue-filters.ts";
import { LOG_RANGES, parseLogFilters, toLogsPath } from "../logs/log-filters.ts";
import { toReleasePath } from "../releases/release-paths.ts";
import { readTraceId, toTracePath } from "../traces/trace-options.ts";

type Projects = ReadonlyArray<{ id: number; slug: string }>;

const SORTS: Record<string, IssueSort> = { date: "last_seen", new: "first_seen", freq: "events", user: "users" };

/**
 * The address here for an address of Sentry's pages, which Sentry's tools print: `/organizations/acme/issues/SHOP-1/`. `path`: the part
 * after the organization, percent-encoded. Unknown projects keep their name, so that the list can say so. Null: there is no such page here.
 */
export function fromSentryPath(path: string, search: URLSearchParams, projects: Projects): string | null {
  const segments = path.split("/").filter((segment) => segment !== "");
  // Sentry has moved the pages that explore data below one word.
  const isMoved = segments[0] === "explore";
  const [page = isMoved ? "traces" : "", name, ...rest] = isMoved ? segments.slice(1) : segments;
  if (page === "traces" || page === "performance") return toTraces(name === "trace" ? rest[0] : name, search, projects);
  if (page === "logs") return toLogs(search, projects);
  if (page === "discover") return toListPath(search, projects);
  if (page === "releases") return name === undefined ? "/releases" : toReleasePath(decode(name));
  if (page === "projects") return name === undefined ? "/projects" : `/projects/${name}`;
  if (page !== "issues" && page !== "") return null;
  if (name === undefined) return toFeedbackList(search, projects) ?? toListPath(search, projects);
  const feedbackId = readFeedbackIssueId(name);
  if (feedbackId !== null) return `/feedback/${feedbackId}`;
  const [below, eventId] = rest;
  const isEvent = below === "events" && eventId !== undefined && !/^(latest|recommended)$/.test(eventId);
  return isEvent ? `/issues/${name}/events/${eventId}` : `/issues/${name}`;
}

/** The same search with Culprit's names of the parameters. */
function toPlace(search: URLSearchParams, query: string | null, projects: Projects): URLSearchParams {
  const own = new URLSearchParams();
  if (query !== null) own.set("q", query);
  for (const name of search.getAll("environment")) own.append("environment", name);
  for (const name of search.getAll("project")) {
    if (name !== "-1") own.append("project", projects.find(({ id }) => String(id) === name)?.slug ?? name);
  }
  return own;
}

function toTraces(id: string | undefined, search: URLSearchParams, projects: Projects): string | null {
  if (id !== undefined) {
    const traceId = readTraceId(id);
    const spanId = /^span-([0-9a-f]{16})$/.exec(search.get("node") ?? "")?.[1] ?? null;
    return traceId && toTracePath(traceId, { spanKey: spanId });
  }
  const own = toPlace(search, search.get("query"), projects);
  own.set("range", search.get("statsPeriod") ?? "");
  const fields = search.getAll("aggregateField").map(readJson);
  for (const { groupBy } of fields) if (typeof groupBy === "string") own.append("by", groupBy);
  for (const { yAxes } of fields)
    for (const figure of Array.isArray(yAxes) ? yAxes : [])
      if (readSpanFigure(String(figure)) !== null) own.append("show", String(figure));
  if (fields.length > 0) own.set("view", "aggregates");
  return toExplorePath(readExploreOptions(own));
}

function toLogs(search: URLSearchParams, projects: Projects): string {
  const own = toPlace(search, search.get("logsQuery"), projects);
  const range = LOG_RANGES.find(({ value }) => value === search.get("statsPeriod"));
  if (range) own.set("range", range.value);
  return toLogsPath(parseLogFilters(own));
}

function readJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function toListPath(search: URLSearchParams, projects: Projects): string {
  const own = toPlace(search, search.get("query"), projects);
  const range = ISSUE_RANGES.find(({ value }) => value === search.get("statsPeriod"));
  if (range) own.set("range", range.value);
  const sort = SORTS[search.get("sort") ?? ""];
  if (sort) own.set("sort", sort);
  return toIssueListPath(parseIssueFilters(own));
}

/** The inbox, if the address asks for issues that are feedback. Null: it does not. The search is left out, because the inbox has other words. */
function toFeedbackList(search: URLSearchParams, projects: Projects): string | null {
  const { tree } = parseSearch(search.get("query") ?? "");
  if (!readFeedbackCategory(tree).isFeedback) return null;
  return toFeedbackPath(parseFeedbackFilters(toPlace(search, null, projects)));
}

/** Decodes a segment. Text that is not encoded well stays as it is. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

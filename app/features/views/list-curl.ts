import { quoteText as quote } from "../../domain/quote-for-shell.ts";
import type { ViewedList } from "../../domain/saved-view.ts";
import { type ExploreOptions, printSort, readExploreOptions } from "../explore/explore-options.ts";
import { type IssueSort, parseIssueFilters } from "../issues/issue-filters.ts";
import { parseLogFilters } from "../logs/log-filters.ts";

const SORTS: Readonly<Record<IssueSort, string>> = {
  last_seen: "date",
  first_seen: "new",
  events: "freq",
  users: "user",
  priority: "priority",
};

/**
 * The command that asks the web API for what a list shows. `query`: the query of the list's address. `$TOKEN` stands for an API token.
 * Null: the web API does not have this list.
 */
export function toListCurl(
  list: ViewedList,
  query: string,
  { origin, organization }: { origin: string; organization: string },
): string | null {
  const asked = toApiQuery(list, new URLSearchParams(query));
  if (!asked) return null;
  const parts = [
    'curl -G -H "Authorization: Bearer $TOKEN"',
    quote(`${origin}/api/0/organizations/${encodeURIComponent(organization)}/${asked.path}`),
    ...asked.params.map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`),
  ];
  return parts.join(" \\\n  ");
}

type Params = Array<[string, string]>;

function toApiQuery(list: ViewedList, params: URLSearchParams): { path: string; params: Params } | null {
  switch (list) {
    case "issues": {
      const { projectSlugs, environments, range, search, sort } = parseIssueFilters(params);
      const place = toPlace(projectSlugs, environments);
      return { path: "issues/", params: [...place, ["statsPeriod", range], ["query", search], ["sort", SORTS[sort]]] };
    }
    case "logs": {
      const { projectSlugs, environments, range, window, search, by } = parseLogFilters(params);
      const toIso = (at: number) => new Date(at).toISOString();
      const time: Params = window
        ? [
            ["start", toIso(window.from)],
            ["end", toIso(window.to)],
          ]
        : [["statsPeriod", range]];
      const counts: Params =
        by === null
          ? []
          : [
              ["field", by],
              ["field", "count()"],
            ];
      return {
        path: "events/",
        params: [["dataset", "logs"], ...toPlace(projectSlugs, environments), ...time, ["query", search], ...counts],
      };
    }
    case "traces": {
      const options = readExploreOptions(params);
      const { projectSlugs, environments, period, search } = options;
      return {
        path: "events/",
        params: [
          ["dataset", "spans"],
          ...toPlace(projectSlugs, environments),
          ["statsPeriod", period.value],
          ["query", search],
          ...toSpanFields(options),
        ],
      };
    }
    case "performance":
      return null;
  }
}

/** The parameters for figures of groups, or for the order of single spans. */
function toSpanFields({ view, by, show, sort, order }: ExploreOptions): Params {
  if (view !== "aggregates") return order === "slowest" ? [["sort", "-span.duration"]] : [];
  const fields = [...by, ...show.map(({ name }) => name)].map((name): [string, string] => ["field", name]);
  if (sort !== null) return [...fields, ["sort", printSort(sort)]];
  return show.some(({ name }) => name === "count()") ? [...fields, ["sort", "-count()"]] : fields;
}

function toPlace(projectSlugs: readonly string[], environments: readonly string[]): Params {
  return [
    ...projectSlugs.map((slug): [string, string] => ["project", slug]),
    ...environments.map((name): [string, string] => ["environment", name]),
  ];
}

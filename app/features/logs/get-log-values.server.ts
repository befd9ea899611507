import type { Workspace } from "../../access/workspace.ts";
import { areManyNumbers, MANY_VALUES, type NumberSummary, summarizeNumbers } from "../../domain/number-summary.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { isComparable } from "../../domain/search/search-field.ts";
import { nameUnnamed, type ProjectSlugs, toProjectSlugs } from "../../domain/traces/name-service.ts";
import type { LogFilter, LogGroup, LogKey } from "../../stores/events/logs.ts";
import { toLogKey } from "./log-key.server.ts";

/** Shown values, the most frequent ones. */
const MAX_VALUES = MANY_VALUES;
/** Milliseconds for the values, and the same again for the numbers. */
const BUDGET_MS = 1_200;

const PROJECT: LogKey = { name: "projectId", isTag: false };
/** Services of all projects that are counted. Those of one name are one value. */
const MAX_SERVICES = 1_000;

/** The values that the lines of a search have for a key. */
export interface LogValues {
  key: string;
  /** The most frequent values first. */
  values: Array<{ value: string; count: number }>;
  /** Whether there are more values, which are rarer. */
  hasMore: boolean;
  /** Lines without a value for the key. */
  without: number;
  /** Null: there are few values, or most of them are not numbers. */
  numbers: NumberSummary | null;
  /** The instant from which lines are counted, as in `LogSummary`. */
  countedFrom: number;
}

/** Counts the lines that match the filter by the values of a search key or an attribute. Null: every line has its own value. */
export async function getLogValues(
  { events, state, scope }: Pick<Workspace, "events" | "state" | "scope">,
  filter: LogFilter,
  key: string,
): Promise<LogValues | null> {
  const by = toLogKey(key);
  if (by === null) return null;
  const isService = by.name === "service" && !by.isTag;
  const isProject = by.name === PROJECT.name && !by.isTag;
  const { groups, countedFrom } = await events.countLogs(filter, {
    by: isService ? [by, PROJECT] : [by],
    // One more than the shown values, and one for lines without a value.
    limit: isService ? MAX_SERVICES : MAX_VALUES + 2,
    budgetMs: BUDGET_MS,
  });
  const slugs = toProjectSlugs(isService || isProject ? await state.projects.listProjects(scope) : []);
  const counts = isService
    ? sumServices(groups, slugs)
    : groups.map(({ group, count }) => ({ value: group[0] ?? null, count }));
  const found = counts.flatMap(({ value, count }) => (value === null ? [] : { value, count }));
  const values = found.slice(0, MAX_VALUES);
  const hasMore = found.length > MAX_VALUES;
  const numbers =
    isComparable(LOG_VOCABULARY, key) && areManyNumbers(found) ? await getNumbers(events, filter, by) : null;
  return {
    key,
    values: isProject
      ? values.map(({ value, count }) => ({ value: slugs.get(Number(value)) ?? value, count }))
      : values,
    hasMore,
    without: counts.find(({ value }) => value === null)?.count ?? 0,
    numbers: numbers?.numbers ?? null,
    countedFrom: Math.max(countedFrom, numbers?.countedFrom ?? countedFrom),
  };
}

/** Lines by the service that the page shows for them, like `nameService`. */
function sumServices(groups: readonly LogGroup[], slugs: ProjectSlugs): Array<{ value: string; count: number }> {
  const counts = new Map<string, number>();
  for (const { group, count } of groups) {
    const [service, projectId] = group;
    const value = service || nameUnnamed(Number(projectId), slugs);
    counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return [...counts].map(([value, count]) => ({ value, count })).sort((one, other) => other.count - one.count);
}

async function getNumbers(
  events: Workspace["events"],
  filter: LogFilter,
  key: LogKey,
): Promise<{ numbers: NumberSummary; countedFrom: number } | null> {
  const options = { by: [], numbers: [key], limit: 1, budgetMs: BUDGET_MS };
  const { groups, countedFrom } = await events.countLogs(filter, options);
  const sum = groups[0]?.numbers[0];
  return sum === undefined ? null : { numbers: summarizeNumbers(sum), countedFrom };
}

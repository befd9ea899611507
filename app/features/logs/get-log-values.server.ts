import type { Workspace } from "../../access/workspace.ts";
import { areManyNumbers, MANY_VALUES, type NumberSummary, summarizeNumbers } from "../../domain/number-summary.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { isComparable } from "../../domain/search/search-field.ts";
import type { LogFilter, LogKey } from "../../stores/events/logs.ts";
import { nameServiceKeys } from "../projects/name-service-keys.server.ts";
import { toLogKey } from "./log-key.server.ts";

/** Shown values, the most frequent ones. */
const MAX_VALUES = MANY_VALUES;
/** Milliseconds for the values, and the same again for the numbers. */
const BUDGET_MS = 1_200;

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
  workspace: Pick<Workspace, "events" | "state" | "scope">,
  filter: LogFilter,
  key: string,
): Promise<LogValues | null> {
  const by = toLogKey(key);
  if (by === null) return null;
  const { events, state, scope } = workspace;
  // One more than the shown values, and one for lines without a value.
  const { groups, countedFrom } = await events.countLogs(filter, {
    by: await nameServiceKeys(workspace, filter.projectIds, [by]),
    limit: MAX_VALUES + 2,
    budgetMs: BUDGET_MS,
  });
  const found = groups.flatMap(({ group: [value], count }) => (value == null ? [] : { value, count }));
  const values = found.slice(0, MAX_VALUES);
  const hasMore = found.length > MAX_VALUES;
  const numbers =
    isComparable(LOG_VOCABULARY, key) && areManyNumbers(found) ? await getNumbers(events, filter, by) : null;
  const projects = by.name === "projectId" && !by.isTag ? await state.projects.listProjects(scope) : [];
  const slugs = new Map(projects.map(({ id, slug }) => [String(id), slug]));
  return {
    key,
    values: values.map(({ value, count }) => ({ value: slugs.get(value) ?? value, count })),
    hasMore,
    without: groups.find(({ group: [value] }) => value === null)?.count ?? 0,
    numbers: numbers?.numbers ?? null,
    countedFrom: Math.max(countedFrom, numbers?.countedFrom ?? countedFrom),
  };
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

import type { Workspace } from "../../access/workspace.ts";
import { readTextNumber } from "../../domain/search/text-number.ts";
import { weightedQuantile } from "../../domain/spans/duration-histogram.ts";
import type { LogFilter, LogKey } from "../../stores/events/logs.ts";
import { toLogKey } from "./log-key.server.ts";
import { type NumberRange, toNumberRanges } from "./number-ranges.ts";

/** Shown values, the most frequent ones. */
const MAX_VALUES = 10;
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
  numbers: LogNumbers | null;
  /** The instant from which lines are counted, as in `LogSummary`. */
  countedFrom: number;
}

export interface LogNumbers {
  /** Lines with a number. */
  count: number;
  min: number;
  median: number;
  p95: number;
  max: number;
  ranges: NumberRange[];
}

/** Counts the lines that match the filter by the values of a search key or an attribute. Null: every line has its own value. */
export async function getLogValues(
  { events, state, scope }: Pick<Workspace, "events" | "state" | "scope">,
  filter: LogFilter,
  key: string,
): Promise<LogValues | null> {
  const by = toLogKey(key);
  if (by === null) return null;
  // One more than the shown values, and one for lines without a value.
  const { groups, countedFrom } = await events.countLogs(filter, {
    by: [by],
    limit: MAX_VALUES + 2,
    budgetMs: BUDGET_MS,
  });
  const found = groups.flatMap(({ group: [value], count }) => (value == null ? [] : { value, count }));
  const values = found.slice(0, MAX_VALUES);
  const hasMore = found.length > MAX_VALUES;
  const isNumeric = values.filter(({ value }) => readTextNumber(value) !== null).length > MAX_VALUES / 2;
  const numbers = hasMore && isNumeric ? await getNumbers(events, filter, by) : null;
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
): Promise<{ numbers: LogNumbers; countedFrom: number } | null> {
  const options = { by: [], numbers: [key], limit: 1, budgetMs: BUDGET_MS };
  const { groups, countedFrom } = await events.countLogs(filter, options);
  const sum = groups[0]?.numbers[0];
  if (sum === undefined) return null;
  const at = (share: number) => weightedQuantile(sum.values, share) ?? 0;
  const ranges = toNumberRanges(sum.values);
  return {
    numbers: { count: sum.weight, min: sum.min, median: at(0.5), p95: at(0.95), max: sum.max, ranges },
    countedFrom,
  };
}

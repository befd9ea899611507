import type { TagDistribution } from "../../stores/events/error-events.ts";

export interface EventColumns {
  /**
   * Keys of tags whose values differ between the events. Release, environment and place come first, then the keys that distinguish
   * the events best.
   */
  differing: string[];
  /** Tags with the same value in all events. */
  alike: Array<[key: string, value: string]>;
}

const MAX_COLUMNS = 5;
/** Columns that are shown whenever their values differ. Each line has keys of equal meaning, the best one first. */
const ALWAYS = [["release"], ["environment"], ["transaction", "url"]];
/** Tags that have a column or a sign of their own. */
const ELSEWHERE = new Set(["user", "level"]);
/** Keys whose value is part of another key's value. */
const PARTS: Readonly<Record<string, string>> = {
  "browser.name": "browser",
  "os.name": "os",
  "client_os.name": "client_os",
  "runtime.name": "runtime",
  "device.family": "device",
};

/** Chooses the columns from how the values of each tag are distributed over `countedEvents` events. */
export function chooseEventColumns(tags: readonly TagDistribution[], countedEvents: number): EventColumns {
  const keys = new Set(tags.map(({ key }) => key));
  const own = tags.filter(({ key }) => !ELSEWHERE.has(key) && !keys.has(PARTS[key] ?? ""));
  const isAlike = ({ distinctCount, total }: TagDistribution) => distinctCount === 1 && total === countedEvents;
  const differing = own.filter((tag) => !isAlike(tag));
  const isThere = (key: string) => differing.some((tag) => tag.key === key);
  const first = ALWAYS.flatMap((group) => group.find(isThere) ?? []);
  const spoken = new Set(ALWAYS.flat());
  const others = differing
    .filter(({ key }) => !spoken.has(key))
    .map((tag) => ({ key: tag.key, weight: weigh(tag, countedEvents) }))
    .sort((a, b) => b.weight - a.weight || a.key.localeCompare(b.key, "en"))
    .map(({ key }) => key);
  return {
    differing: [...first, ...others].slice(0, MAX_COLUMNS),
    alike: own.filter(isAlike).map(({ key, values }): [string, string] => [key, values[0]?.value ?? ""]),
  };
}

/**
 * A weight from 0 to 1: the probability that two events have different values, lowered by the number of values. A tag that differs
 * in every event, like the number of a request, says nothing about groups of events.
 */
function weigh({ total, distinctCount, values }: TagDistribution, countedEvents: number): number {
  const missing = Math.max(0, countedEvents - total);
  const same = [...values.map(({ count }) => count), missing].reduce(
    (sum, count) => sum + (count / countedEvents) ** 2,
    0,
  );
  return (1 - same) * (1 - (distinctCount - 1) / Math.max(1, countedEvents));
}

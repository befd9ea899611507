/** An issue that somebody split by a value: each value of its later events has an issue of its own, until it is undone. */
export interface IssueSplit {
  id: number;
  projectId: number;
  /** The name on pages. */
  name: string;
  /** One of `SPLIT_VARIABLES`, or `tags.NAME`. */
  variable: string;
  /** The issue that was split. It keeps the events without a value, and those of values beyond the limit. */
  issue: { issueId: number; shortId: string; title: string };
  /** Issues that came of it, with their events. */
  issueCount: number;
  eventCount: number;
  /** Events that came since and that it decided, and when the latest came. */
  decidedCount: number;
  decidedAt: number | null;
  splitAt: number;
  /** The name of the person. Null: a token, or somebody who is gone. */
  splitBy: string | null;
  /** Null: it holds. */
  undoneAt: number | null;
  undoneBy: string | null;
}

/** Issues that come of one split. Further values stay together in the issue that was split. */
export const MAX_SPLIT_ISSUES = 20;
/** Splits of one project that hold: each event of a split issue looks at them. */
export const MAX_SPLITS = 100;

/** The variables that an issue can be split by, beside `tags.NAME`, and their names on pages. */
export const SPLIT_VARIABLES: ReadonlyMap<string, string> = new Map([
  ["release.package", "package of the release"],
  ["release", "release"],
  ["environment", "environment"],
  ["transaction", "transaction"],
  ["url.path", "path of the URL"],
  ["message", "message"],
  ["error.type", "type of the exception"],
  ["error.value", "value of the exception"],
  ["function", "function that failed"],
  ["module", "module that failed"],
  ["logger", "logger"],
  ["level", "level"],
]);

export function isSplitVariable(text: string): boolean {
  return SPLIT_VARIABLES.has(text) || /^tags\.[\w.:-]{1,200}$/.test(text);
}

/** `the tag bank`, `the path of the URL`. */
export function nameSplitVariable(variable: string): string {
  const name = SPLIT_VARIABLES.get(variable);
  return name === undefined ? `the tag ${variable.replace(/^tags\./, "")}` : `the ${name}`;
}

/** A value by which the events of an issue differ. */
export interface SplitChoice {
  variable: string;
  /** Events that were looked at. */
  eventCount: number;
  distinctCount: number;
  /** The most frequent first. */
  values: Array<{ value: string; count: number }>;
  /** Events that have none. */
  withoutCount: number;
}

const MAX_SHOWN_VALUES = 8;

/** Null: all events are alike in it. */
export function toSplitChoice(
  variable: string,
  { eventCount, distinctCount, values }: Pick<SplitChoice, "eventCount" | "distinctCount" | "values">,
  withCount = values.reduce((sum, { count }) => sum + count, 0),
): SplitChoice | null {
  const withoutCount = Math.max(0, eventCount - withCount);
  if (distinctCount === 0 || (distinctCount === 1 && withoutCount === 0)) return null;
  const shown = values.toSorted((a, b) => b.count - a.count).slice(0, MAX_SHOWN_VALUES);
  return { variable, eventCount, distinctCount, values: shown, withoutCount };
}

import { ISSUE_STATUSES, type IssueStatus, type IssueSubstatus } from "../../domain/issue.ts";
import { LEVELS, type Level } from "../../domain/level.ts";
import type { IssueQuery } from "../../stores/state/issue-store.ts";
import { takeReleaseWords } from "./release-words.ts";
import { type SearchKey, type SearchWord, splitSearch } from "./search-words.ts";

/** A parsed search of the issue list, with the words that were not understood. */
export interface IssueSearch {
  filter: Pick<IssueQuery, "statuses" | "substatuses" | "levels" | "isUnhandled" | "text">;
  /** Slugs, as typed; any of the first when there are some, and none of the second. */
  projects: { included: string[]; excluded: string[] };
  /** Any of them; empty: all. */
  environments: string[];
  /** One sentence for each word that could not be used; never dropped in silence. */
  problems: string[];
}

const MAX_WORDS = 20;
const STATUS_WORDS: Record<string, IssueStatus> = {
  unresolved: "unresolved",
  resolved: "resolved",
  archived: "archived",
  ignored: "archived",
};
const SUBSTATUSES: readonly IssueSubstatus[] = ["new", "ongoing", "regressed"];
const LEVEL_WORDS: Record<string, Level> = {
  ...Object.fromEntries(LEVELS.map((level) => [level, level])),
  warn: "warning",
};

/** Words that `is:` takes, for messages. */
const IS_WORDS = [...ISSUE_STATUSES, ...SUBSTATUSES, "unhandled", "handled"];

/** Combines words with `!`, which exclude, and words without. */
interface Wanted<Value> {
  included: Set<Value>;
  excluded: Set<Value>;
}

/** A whole search, with the words that name releases; `rest` is the search without those. */
export function parseSearch(search: string): Omit<IssueSearch, "filter"> & {
  filter: IssueSearch["filter"] & Pick<IssueQuery, "release" | "firstRelease">;
  rest: string;
} {
  const releases = takeReleaseWords(search);
  const read = parseIssueSearch(releases.rest);
  return {
    ...read,
    filter: { ...read.filter, ...releases.filter },
    problems: [...releases.problems, ...read.problems],
    rest: releases.rest,
  };
}

/** The values in both lists, where an empty list stands for everything; null when they have nothing in common. */
export function both(one: readonly string[], other: readonly string[]): string[] | null {
  if (one.length === 0 || other.length === 0) return [...one, ...other];
  const common = one.filter((name) => other.includes(name));
  return common.length > 0 ? common : null;
}

/**
 * Reads words with a key, and free text. An issue must match all of them. Several words of one key match any of their values;
 * with `!` before them, they exclude all of their values.
 */
export function parseIssueSearch(search: string): IssueSearch {
  const statuses = createWanted<IssueStatus>();
  const substatuses = createWanted<IssueSubstatus>();
  const levels = createWanted<Level>();
  const projects = createWanted<string>();
  const environments = new Set<string>();
  const text: string[] = [];
  const problems: string[] = [];
  let isUnhandled: boolean | undefined;

  const readIs = ({ value, isNegated }: SearchWord) => {
    const name = value.toLowerCase();
    const status = Object.hasOwn(STATUS_WORDS, name) ? STATUS_WORDS[name] : undefined;
    const substatus = SUBSTATUSES.find((known) => known === name);
    if (status) want(statuses, status, isNegated);
    else if (substatus) want(substatuses, substatus, isNegated);
    else if (name === "unhandled" || name === "handled") isUnhandled = (name === "unhandled") !== isNegated;
    else problems.push(`“is:${value}” is not known. It can be ${IS_WORDS.join(", ")}.`);
  };
  const readLevel = ({ value, isNegated }: SearchWord) => {
    const level = Object.hasOwn(LEVEL_WORDS, value.toLowerCase()) ? LEVEL_WORDS[value.toLowerCase()] : undefined;
    if (level) want(levels, level, isNegated);
    else problems.push(`“level:${value}” is not known. It can be ${LEVELS.join(", ")}.`);
  };

  const words = splitSearch(search);
  if (words.length > MAX_WORDS) problems.push(`Only the first ${MAX_WORDS} of ${words.length} words are used.`);
  for (const word of words.slice(0, MAX_WORDS)) {
    const { key, value, isNegated } = word;
    if (key === null) {
      if (value !== "") text.push(value);
    } else if (key === "is") readIs(word);
    else if (key === "level") readLevel(word);
    else if (value === "") problems.push(`“${key}:” needs a name after the colon.`);
    else if (key === "project") want(projects, value, isNegated);
    else if (isNegated) problems.push(`“!environment:${value}” is not used: an issue may be in several environments.`);
    else environments.add(value);
  }

  const status = readWanted(statuses, ISSUE_STATUSES, "is", problems);
  const level = readWanted(levels, LEVELS, "level", problems);
  if (substatuses.excluded.size > 0 && substatuses.included.size === 0 && status.join() !== "unresolved") {
    // Only what is unresolved is new, ongoing or regressed: what is left would be no list of statuses.
    for (const name of substatuses.excluded) problems.push(`“!is:${name}” is used only together with is:unresolved.`);
    substatuses.excluded.clear();
  }
  const substatus = readWanted(substatuses, SUBSTATUSES, "is", problems);
  return {
    filter: {
      ...(status.length > 0 ? { statuses: status } : {}),
      ...(substatus.length > 0 ? { substatuses: substatus } : {}),
      ...(level.length > 0 ? { levels: level } : {}),
      ...(isUnhandled === undefined ? {} : { isUnhandled }),
      ...(text.length > 0 ? { text } : {}),
    },
    projects: { included: [...projects.included], excluded: [...projects.excluded] },
    environments: [...environments],
    problems,
  };
}

function createWanted<Value>(): Wanted<Value> {
  return { included: new Set(), excluded: new Set() };
}

function want<Value>(wanted: Wanted<Value>, value: Value, isNegated: boolean): void {
  (isNegated ? wanted.excluded : wanted.included).add(value);
}

/** Empty: all. Words that leave nothing over are said, and those with `!` are then not used. */
function readWanted<Value extends string>(
  { included, excluded }: Wanted<Value>,
  all: readonly Value[],
  key: SearchKey,
  problems: string[],
): Value[] {
  if (excluded.size === 0) return [...included];
  const left = (included.size > 0 ? [...included] : all).filter((value) => !excluded.has(value));
  if (left.length > 0) return left;
  const words = [...excluded].map((value) => `“!${key}:${value}”`);
  problems.push(`${words.join(", ")} would leave nothing over, and ${words.length === 1 ? "is" : "are"} not used.`);
  return [...included];
}

import { ISSUE_STATUSES, type IssueStatus, type IssueSubstatus } from "../../domain/issue.ts";
import { LEVELS, type Level } from "../../domain/level.ts";
import type { IssueQuery } from "../../stores/state/issue-store.ts";
import { type EventWords, readEventWords } from "./event-words.ts";
import { takeReleaseWords } from "./release-words.ts";
import { type SearchKey, type SearchWord, splitSearch } from "./search-words.ts";

/** A parsed search of the issue list, with the words that were not understood. */
export interface IssueSearch {
  filter: Pick<IssueQuery, "statuses" | "substatuses" | "levels" | "isUnhandled" | "text">;
  /** Slugs, as typed; any of the first when there are some, and none of the second. */
  projects: { included: string[]; excluded: string[] };
  /** Any of them; empty: all. */
  environments: string[];
  /** What one event of an issue must have. */
  events: EventWords;
  /** One sentence for each word that is not understood. Then nothing is searched for: what is left would find too much. */
  problems: string[];
}

/** A pasted message has fewer. */
const MAX_WORDS = 100;
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

/** A whole search, with the words that name releases. */
export function parseSearch(search: string): Omit<IssueSearch, "filter"> & {
  filter: IssueSearch["filter"] & Pick<IssueQuery, "release" | "firstRelease">;
} {
  const releases = takeReleaseWords(search);
  const read = parseIssueSearch(releases.rest);
  return {
    ...read,
    filter: { ...read.filter, ...releases.filter },
    problems: [...releases.problems, ...read.problems],
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
 * with `!` before them, they exclude all of their values. Other keys are tags of events.
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
  if (words.length > MAX_WORDS) problems.push(`A search has at most ${MAX_WORDS} words; these are ${words.length}.`);
  for (const word of words.slice(0, MAX_WORDS)) {
    const { key, value, isNegated } = word;
    if (word.otherKey !== null) continue;
    if (key === null) {
      const problem = findTextProblem(word);
      if (problem !== null) problems.push(problem);
      else if (value !== "") text.push(value);
    } else if (key === "is") readIs(word);
    else if (key === "level") readLevel(word);
    else if (value === "") problems.push(`“${key}:” needs a name after the colon.`);
    else if (key === "project") want(projects, value, isNegated);
    else if (isNegated) problems.push(`“!environment:${value}” is not known: an issue may be in several environments.`);
    else environments.add(value);
  }

  const events = readEventWords(words.slice(0, MAX_WORDS), problems);
  const status = readWanted(statuses, ISSUE_STATUSES, "is", problems);
  const level = readWanted(levels, LEVELS, "level", problems);
  if (substatuses.excluded.size > 0 && substatuses.included.size === 0 && status.join() !== "unresolved") {
    // Only what is unresolved is new, ongoing or regressed: what is left would be no list of statuses.
    for (const name of substatuses.excluded)
      problems.push(`“!is:${name}” is understood only together with is:unresolved.`);
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
    events,
    problems,
  };
}

/** Signs of other search languages, which nobody means as text. A sentence; null for text. */
function findTextProblem({ value, isQuoted }: SearchWord): string | null {
  if (isQuoted) return null;
  if (value === "OR" || value === "AND")
    return `“${value}” is not known: all words must match, and several values of one key match any of them. Put quotes around it to search for the word.`;
  if (/^![\w"]/.test(value))
    return `“${value}” is not known: “!” leaves out only is:, level: and project:. Put quotes around what is text.`;
  return null;
}

function createWanted<Value>(): Wanted<Value> {
  return { included: new Set(), excluded: new Set() };
}

function want<Value>(wanted: Wanted<Value>, value: Value, isNegated: boolean): void {
  (isNegated ? wanted.excluded : wanted.included).add(value);
}

/** Empty: all. Words that leave nothing over are said. */
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
  problems.push(`${words.join(", ")} would leave nothing over.`);
  return [...included];
}

import { ISSUE_STATUSES, type IssueStatus, type IssueSubstatus } from "../../domain/issue.ts";
import { LEVELS, type Level } from "../../domain/level.ts";
import type { IssueQuery } from "../../stores/state-store.ts";

/** What a search text asks of the issue list, and what in it was not understood. */
export interface IssueSearch {
  filter: Pick<IssueQuery, "statuses" | "substatuses" | "levels" | "isUnhandled" | "text">;
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
const SUBSTATUS_WORDS: Record<string, IssueSubstatus> = { new: "new", ongoing: "ongoing", regressed: "regressed" };
const LEVEL_WORDS: Record<string, Level> = {
  ...Object.fromEntries(LEVELS.map((level) => [level, level])),
  warn: "warning",
};

/** Words that `is:` takes, for completion and for messages. */
export const IS_WORDS = [...ISSUE_STATUSES, ...Object.keys(SUBSTATUS_WORDS), "unhandled", "handled"];

/**
 * Words apart by blanks, all of which must hold: `is:…`, `level:…`, anything else is free text. Quotes keep blanks
 * together and keep a colon from being read as a key.
 */
export function parseIssueSearch(search: string): IssueSearch {
  const statuses = new Set<IssueStatus>();
  const substatuses = new Set<IssueSubstatus>();
  const levels = new Set<Level>();
  const text: string[] = [];
  const problems: string[] = [];
  let isUnhandled: boolean | undefined;

  const words = [...search.matchAll(/"([^"]*)"?|(\S+?):"([^"]*)"?|(\S+)/g)];
  if (words.length > MAX_WORDS) problems.push(`Only the first ${MAX_WORDS} of ${words.length} words are used.`);
  for (const word of words.slice(0, MAX_WORDS)) {
    const [key, value] = splitWord(word);
    if (key === null) {
      if (value !== "") text.push(value);
    } else if (key === "is") {
      const name = value.toLowerCase();
      if (Object.hasOwn(STATUS_WORDS, name)) statuses.add(STATUS_WORDS[name] as IssueStatus);
      else if (Object.hasOwn(SUBSTATUS_WORDS, name)) substatuses.add(SUBSTATUS_WORDS[name] as IssueSubstatus);
      else if (name === "unhandled" || name === "handled") isUnhandled = name === "unhandled";
      else problems.push(`“is:${value}” is not known. It can be ${IS_WORDS.join(", ")}.`);
    } else {
      const level = Object.hasOwn(LEVEL_WORDS, value.toLowerCase()) ? LEVEL_WORDS[value.toLowerCase()] : undefined;
      if (level) levels.add(level);
      else problems.push(`“level:${value}” is not known. It can be ${LEVELS.join(", ")}.`);
    }
  }
  return {
    filter: {
      ...(statuses.size > 0 ? { statuses: [...statuses] } : {}),
      ...(substatuses.size > 0 ? { substatuses: [...substatuses] } : {}),
      ...(levels.size > 0 ? { levels: [...levels] } : {}),
      ...(isUnhandled === undefined ? {} : { isUnhandled }),
      ...(text.length > 0 ? { text } : {}),
    },
    problems,
  };
}

/** The key in lower case, or null for free text. Only known keys are keys: `TypeError: x` and `http://…` are text. */
function splitWord([whole, quoted, quotedKey, quotedValue]: RegExpMatchArray): [key: string | null, value: string] {
  if (quoted !== undefined) return [null, quoted];
  if (quotedKey !== undefined) {
    const key = quotedKey.toLowerCase();
    return key === "is" || key === "level" ? [key, quotedValue ?? ""] : [null, `${quotedKey}:${quotedValue ?? ""}`];
  }
  const match = /^(is|level):(.*)$/i.exec(whole);
  return match ? [(match[1] as string).toLowerCase(), match[2] as string] : [null, whole];
}

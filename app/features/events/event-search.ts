import { LEVELS } from "../../domain/level.ts";
import type { EventFilter } from "../../stores/events/error-events.ts";
import { type EventWords, readEventWords } from "../issues/event-words.ts";
import { type SearchWord, splitSearch } from "../issues/search-words.ts";
import { toEventId } from "./event-id.ts";

/** A parsed search of an issue's events. */
export interface EventSearch {
  filter: Pick<EventFilter, "words" | "tags" | "anyOfTags" | "traceId">;
  /** What is asked of tags, by which one says what is not known. */
  tags: Pick<EventWords, "anyOfTags">;
  /** The search is an id and nothing else: of an event, or of a trace. */
  id: string | null;
  /** One sentence for each word that is not understood. Then nothing is searched for. */
  problems: string[];
}

/** For messages. */
export const EVENT_KEY_WORDS = "user:, trace: and the tags of events, like environment:, release: and level:";

/** A pasted message has fewer. */
const MAX_WORDS = 100;
/** Each of them reads all texts of an event. */
const MAX_TEXTS = 10;
/** What is kept about events as well as about issues. */
const EVENT_KEYS = new Set(["level", "environment"]);

/**
 * Reads the language of the issue search, about single events: words, tags as `key:value`, `user:`, `trace:`. An event must match
 * all of them; several values of one key match any of them; `!` before a key leaves out.
 */
export function parseEventSearch(search: string): EventSearch {
  const id = toEventId(search.trim());
  if (id !== null) return { filter: {}, tags: { anyOfTags: [] }, id, problems: [] };
  const problems: string[] = [];
  const all = splitSearch(search);
  if (all.length > MAX_WORDS) problems.push(`A search has at most ${MAX_WORDS} words; these are ${all.length}.`);
  const texts = new Set<string>();
  const keyed: SearchWord[] = [];
  for (const word of all.slice(0, MAX_WORDS)) {
    const key = word.otherKey ?? word.key;
    if (key === null) {
      const problem = findTextProblem(word);
      if (problem !== null) problems.push(problem);
      else if (word.value !== "") texts.add(word.value);
    } else if (word.key !== null && !EVENT_KEYS.has(word.key)) {
      problems.push(
        word.key === "project"
          ? "“project:” is not known here: all events of an issue are of one project."
          : "“is:” is not known here: it says something about whole issues.",
      );
    } else
      keyed.push({ ...word, key: null, otherKey: key, value: key === "level" ? toLevel(word, problems) : word.value });
  }
  if (texts.size > MAX_TEXTS)
    problems.push(
      `At most ${MAX_TEXTS} words can be searched for as text; put quotes around words that stand together.`,
    );
  const included = readEventWords(
    keyed.filter(({ isNegated }) => !isNegated),
    problems,
  );
  const excluded = readEventWords(
    keyed.flatMap((word) => (word.isNegated ? { ...word, isNegated: false } : [])),
    problems,
  );
  if (excluded.traceId !== undefined) problems.push("“!trace:” is not known: a trace cannot be left out.");
  const left = excluded.anyOfTags.flatMap(({ key, values }) =>
    values.map((value) => ({ key, value, isNegated: true })),
  );
  return {
    filter: {
      ...(texts.size > 0 ? { words: [...texts] } : {}),
      ...(left.length > 0 ? { tags: left } : {}),
      ...included,
    },
    tags: { anyOfTags: [...included.anyOfTags, ...excluded.anyOfTags] },
    id: null,
    problems,
  };
}

function toLevel({ value }: SearchWord, problems: string[]): string {
  const name = value.toLowerCase() === "warn" ? "warning" : value.toLowerCase();
  if (!LEVELS.some((level) => level === name))
    problems.push(`“level:${value}” is not known. It can be ${LEVELS.join(", ")}.`);
  return name;
}

/** Signs of other search languages, which nobody means as text. A sentence; null for text. */
function findTextProblem({ value, isQuoted }: SearchWord): string | null {
  if (isQuoted) return null;
  if (value === "OR" || value === "AND")
    return `“${value}” is not known: all words must match, and several values of one key match any of them. Put quotes around it to search for the word.`;
  if (/^![\w"]/.test(value))
    return `“${value}” is not known: “!” leaves out a key with its value, like !plan:pro. Put quotes around what is text.`;
  return null;
}

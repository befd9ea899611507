import { bindSearch, type NamedTag } from "../../domain/search/bind-search.ts";
import { allOf, type Condition, isAlways } from "../../domain/search/condition.ts";
import { EVENT_VOCABULARY } from "../../domain/search/event-vocabulary.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { ANY_TEXT, type SearchError } from "../../domain/search/search-tree.ts";
import type { EventFilter } from "../../stores/events/error-events.ts";

/** A search among the events of an issue, read as far as that is possible without stored data. */
export interface EventSearchPlan {
  isEmpty: boolean;
  condition: Condition;
  tags: NamedTag[];
  errors: SearchError[];
}

/** `now`: milliseconds since 1970, for relative times. */
export function planEventSearch(search: string, now: number): EventSearchPlan {
  const parsed = parseSearch(search);
  const bound = bindSearch(parsed.tree, EVENT_VOCABULARY, now);
  const errors = [...parsed.errors, ...bound.errors];
  return { isEmpty: parsed.tree === null, condition: bound.condition, tags: bound.tags, errors };
}

/** Splits a condition: required words become `words`, because they may also be the start of the event's id. The rest becomes `where`. */
export function toEventFilter(condition: Condition): Pick<EventFilter, "words" | "where"> {
  const words: string[] = [];
  const left: Condition[] = [];
  for (const part of condition.kind === "all" ? condition.parts : [condition]) {
    const word = part.kind === "test" && !part.isNegated && part.field === "text" ? toWord(part) : null;
    if (word !== null) words.push(word);
    else left.push(part);
  }
  const where = allOf(left);
  return { ...(words.length > 0 ? { words: [...new Set(words)] } : {}), ...(isAlways(where) ? {} : { where }) };
}

function toWord({ test }: Extract<Condition, { kind: "test" }>): string | null {
  if (test.kind !== "like" || test.parts.length !== 3) return null;
  const [first, text, last] = test.parts;
  return first === ANY_TEXT && last === ANY_TEXT && typeof text === "string" ? text : null;
}

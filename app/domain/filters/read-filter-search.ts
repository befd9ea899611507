import { bindSearch } from "../search/bind-search.ts";
import { ALWAYS, type Condition, type FieldTest, isAlways, listTests, mapTests, NEVER } from "../search/condition.ts";
import { FILTER_VOCABULARY } from "../search/filter-vocabulary.ts";
import { parseSearch } from "../search/parse-search.ts";
import { ANY_TEXT } from "../search/search-tree.ts";
import { FILTER_LIMITS } from "./filter-settings.ts";

export type FilterSearch = { ok: true; condition: Condition } | { ok: false; message: string };

/** Reads a filter in the search language. A filter is refused if every event passes it, or if its meaning changes with time. */
export function readFilterSearch(search: string): FilterSearch {
  if (search.length > FILTER_LIMITS.searchChars)
    return { ok: false, message: `A filter has at most ${FILTER_LIMITS.searchChars} characters.` };
  const parsed = parseSearch(search);
  const { condition, errors } = bindSearch(parsed.tree, FILTER_VOCABULARY, 0);
  const [problem] = [...parsed.errors, ...errors];
  if (problem !== undefined) return { ok: false, message: problem.message };
  if (isAlways(condition)) return { ok: false, message: "An empty filter would take every event." };
  if (isAlways(mapTests(condition, toSaid))) return { ok: false, message: `“${search}” would take every event.` };
  const tests = listTests(condition);
  if (tests.length > FILTER_LIMITS.tests)
    return { ok: false, message: `A filter has at most ${FILTER_LIMITS.tests} terms; this one has ${tests.length}.` };
  const isRelative = tests.some(
    ({ field, isTag, test }) => field === "release" && !isTag && test.kind === "in" && test.values.includes("latest"),
  );
  if (isRelative) return { ok: false, message: "“release:latest” changes with each release. Name the release." };
  return { ok: true, condition };
}

/** Every event has them. */
const ALWAYS_THERE: ReadonlySet<string> = new Set(["text", "title"]);

/** The condition of a test. A test for any text in a field that is always there is always true. */
function toSaid(test: FieldTest): Condition {
  const isAnyText = test.test.kind === "like" && test.test.parts.every((part) => part === ANY_TEXT);
  if (!isAnyText || test.isTag || !ALWAYS_THERE.has(test.field)) return test;
  return test.isNegated ? NEVER : ALWAYS;
}

import { bindSearch } from "../search/bind-search.ts";
import { type Condition, isAlways, listTests } from "../search/condition.ts";
import { FILTER_VOCABULARY } from "../search/filter-vocabulary.ts";
import { parseSearch } from "../search/parse-search.ts";
import { FILTER_LIMITS } from "./filter-settings.ts";

export type FilterSearch = { ok: true; condition: Condition } | { ok: false; message: string };

/** What a filter in the search language means. One that every event passes, or that means something else with time, is refused. */
export function readFilterSearch(search: string): FilterSearch {
  if (search.length > FILTER_LIMITS.searchChars)
    return { ok: false, message: `A filter has at most ${FILTER_LIMITS.searchChars} characters.` };
  const parsed = parseSearch(search);
  const { condition, errors } = bindSearch(parsed.tree, FILTER_VOCABULARY, 0);
  const [problem] = [...parsed.errors, ...errors];
  if (problem !== undefined) return { ok: false, message: problem.message };
  if (isAlways(condition)) return { ok: false, message: "An empty filter would take every event." };
  const tests = listTests(condition);
  if (tests.length > FILTER_LIMITS.tests)
    return { ok: false, message: `A filter has at most ${FILTER_LIMITS.tests} terms; this one has ${tests.length}.` };
  const isRelative = tests.some(
    ({ field, isTag, test }) => field === "release" && !isTag && test.kind === "in" && test.values.includes("latest"),
  );
  if (isRelative) return { ok: false, message: "“release:latest” changes with each release. Name the release." };
  return { ok: true, condition };
}

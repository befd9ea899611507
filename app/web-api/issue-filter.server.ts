import { z } from "zod";
import type { Project } from "../domain/project.ts";
import { DAY_MS } from "../domain/time.ts";
import type { Engine } from "../engine/engine.ts";
import { parseIssueSearch } from "../features/issues/issue-search.ts";
import { takeReleaseWords } from "../features/issues/release-words.ts";
import { SEARCH_KEYS, splitSearch } from "../features/issues/search-words.ts";
import type { IssueQuery } from "../stores/state/issue-store.ts";
import { refusal } from "./answers.ts";
import { ENVIRONMENTS, PROJECTS, TIME_RANGE, toProjectIds, toTimeFilter } from "./query.ts";

const FALLBACK_RANGE_MS = 14 * DAY_MS;

/** Parameters that say which issues are meant. */
export const ISSUE_FILTER = {
  query: z
    .string()
    .optional()
    .describe("Search, as on the issue list; without it `is:unresolved`, empty: all. An unknown key is refused"),
  ...PROJECTS,
  ...ENVIRONMENTS,
  ...TIME_RANGE,
};
const filterQuery = z.object(ISSUE_FILTER);

export type IssueFilter = Omit<IssueQuery, "sort" | "cursor" | "limit">;

/** `project`: the one that the path names. @throws a 400 answer that names what of the query is not understood, or 404. */
export async function toIssueFilter(
  engine: Engine,
  { project, query, now }: { project: Project | null; query: z.output<typeof filterQuery>; now: number },
): Promise<IssueFilter> {
  const releases = takeReleaseWords(query.query ?? "is:unresolved");
  const search = parseIssueSearch(releases.rest, SEARCH_KEYS);
  const problem = releases.problems[0] ?? search.problems[0] ?? findUnknownKey(releases.rest);
  if (problem) throw refusal(400, `query: ${problem}`);
  const environments = intersect(query.environment, search.environments);
  if (environments === null) throw refusal(400, "query: it names none of the environments of the parameter");
  return {
    projectIds: await toSearchedProjects(
      engine,
      project ? [project.id] : await toProjectIds(engine, query),
      search.projects,
    ),
    ...(environments.length > 0 ? { environments } : {}),
    ...toTimeFilter(query, { now, fallbackMs: FALLBACK_RANGE_MS }),
    ...search.filter,
    ...releases.filter,
  };
}

/** What looks like a key and is none would be searched for as text, and find nothing. Quotes say that text is meant. */
function findUnknownKey(search: string): string | null {
  for (const { key, value, start } of splitSearch(search)) {
    const name = key === null && search[start] !== '"' ? /^!?([a-z_.]+):[^\s/:]/i.exec(value)?.[1] : undefined;
    if (name !== undefined)
      return `“${name}:” is not known. The keys are ${KEY_WORDS}; put quotes around what is text.`;
  }
  return null;
}

const KEY_WORDS = [...SEARCH_KEYS, "release", "first-release"].map((key) => `${key}:`).join(", ");

/** `asked`: beside the search; null: all. Both must hold. */
async function toSearchedProjects(
  { state }: Engine,
  asked: number[] | null,
  { included, excluded }: { included: string[]; excluded: string[] },
): Promise<number[] | null> {
  if (included.length === 0 && excluded.length === 0) return asked;
  const projects = await state.projects.listProjects();
  const unknown = [...included, ...excluded].find((slug) => projects.every((project) => project.slug !== slug));
  if (unknown !== undefined) throw refusal(400, `query: there is no project “${unknown}”`);
  const ids = projects
    .filter(({ id, slug }) => (asked?.includes(id) ?? true) && !excluded.includes(slug))
    .filter(({ slug }) => included.length === 0 || included.includes(slug))
    .map(({ id }) => id);
  if (ids.length === 0) throw refusal(400, "query: it leaves no project");
  return ids;
}

/** Empty lists stand for everything; null: the two have nothing in common. */
function intersect(one: readonly string[], other: readonly string[]): string[] | null {
  if (one.length === 0 || other.length === 0) return [...one, ...other];
  const common = one.filter((name) => other.includes(name));
  return common.length > 0 ? common : null;
}

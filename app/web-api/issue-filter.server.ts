import { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import type { Project } from "../domain/project.ts";
import { narrowScope, type Scope } from "../domain/scope.ts";
import { DAY_MS } from "../domain/time.ts";
import type { IssueFilter } from "../features/issues/change-issues.server.ts";
import { both, parseSearch } from "../features/issues/issue-search.ts";
import { KEY_WORDS, splitSearch } from "../features/issues/search-words.ts";
import { refusal } from "./answers.ts";
import { ENVIRONMENTS, PROJECTS, TIME_RANGE, toProjectScope, toTimeFilter } from "./query.ts";

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

/** `project`: the one that the path names. @throws a 400 answer that names what of the query is not understood, or 404. */
export async function toIssueFilter(
  workspace: Workspace,
  { project, query, now }: { project: Project | null; query: z.output<typeof filterQuery>; now: number },
): Promise<IssueFilter> {
  const search = parseSearch(query.query ?? "is:unresolved");
  const problem = search.problems[0] ?? findUnknownKey(search.rest);
  if (problem) throw refusal(400, `query: ${problem}`);
  const environments = both(query.environment, search.environments);
  if (environments === null) throw refusal(400, "query: it names none of the environments of the parameter");
  const asked = project ? narrowScope(workspace.scope, [project.id]) : await toProjectScope(workspace, query);
  return {
    scope: await narrowToSearched(workspace, asked, search.projects),
    query: {
      ...(environments.length > 0 ? { environments } : {}),
      ...toTimeFilter(query, { now, fallbackMs: FALLBACK_RANGE_MS }),
      ...search.filter,
    },
  };
}

/** The first word that looks like a key and is not one: as text, it would find nothing. Quotes say that text is meant. */
function findUnknownKey(search: string): string | null {
  for (const { key, value, start } of splitSearch(search)) {
    const name = key === null && search[start] !== '"' ? /^!?([a-z_.]+):[^\s/:]/i.exec(value)?.[1] : undefined;
    if (name !== undefined)
      return `“${name}:” is not known. The keys are ${KEY_WORDS}; put quotes around what is text.`;
  }
  return null;
}

/** `asked`: beside the search. Both must hold. */
async function narrowToSearched(
  { state, scope }: Workspace,
  asked: Scope,
  { included, excluded }: { included: string[]; excluded: string[] },
): Promise<Scope> {
  if (included.length === 0 && excluded.length === 0) return asked;
  const projects = await state.projects.listProjects(scope);
  const unknown = [...included, ...excluded].find((slug) => projects.every((project) => project.slug !== slug));
  if (unknown !== undefined) throw refusal(400, `query: there is no project “${unknown}”`);
  const ids = projects
    .filter(({ slug }) => !excluded.includes(slug))
    .filter(({ slug }) => included.length === 0 || included.includes(slug))
    .map(({ id }) => id);
  const left = narrowScope(asked, ids);
  if (left.projectIds.length === 0) throw refusal(400, "query: it leaves no project");
  return left;
}

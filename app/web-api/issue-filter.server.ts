import { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import type { Project } from "../domain/project.ts";
import { narrowScope, type Scope } from "../domain/scope.ts";
import { DAY_MS } from "../domain/time.ts";
import type { IssueFilter } from "../features/issues/change-issues.server.ts";
import { findNamedPlace } from "../features/issues/find-named-place.server.ts";
import { findSearchedIssues } from "../features/issues/find-searched-issues.server.ts";
import { both, parseSearch } from "../features/issues/issue-search.ts";
import { refusal } from "./answers.ts";
import { ENVIRONMENTS, PROJECTS, TIME_RANGE, toProjectScope, toTimeFilter } from "./query.ts";

const FALLBACK_RANGE_MS = 14 * DAY_MS;

/** Parameters that say which issues are meant. */
export const ISSUE_FILTER = {
  query: z
    .string()
    .optional()
    .describe(
      "Search, as on the issue list: keys, tags of events as `key:value`, text, or an id alone; without it `is:unresolved`, empty: all. An unknown key is refused",
    ),
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
  refuse(search.problems);
  const environments = both(query.environment, search.environments);
  if (environments === null) throw refusal(400, "query: it names none of the environments of the parameter");
  const asked = project ? narrowScope(workspace.scope, [project.id]) : await toProjectScope(workspace, query);
  const scope = await narrowToSearched(workspace, asked, search.projects);
  const place = {
    ...(environments.length > 0 ? { environments } : {}),
    ...toTimeFilter(query, { now, fallbackMs: FALLBACK_RANGE_MS }),
  };
  const named = await findNamedIssues(workspace, scope, query.query ?? "");
  if (named) return { scope, query: { from: null, to: null, issueIds: named } };
  const found = await findSearchedIssues(workspace, { words: search.events, scope, query: place });
  refuse(found.problems);
  return { scope, query: { ...place, ...search.filter, ...(found.issueIds && { issueIds: found.issueIds }) } };
}

function refuse([problem]: readonly string[]): void {
  if (problem !== undefined) throw refusal(400, `query: ${problem}`);
}

/** Of a query that is an id and nothing else; null for every other. Time and environment have no say then. */
async function findNamedIssues(workspace: Workspace, scope: Scope, search: string): Promise<number[] | null> {
  const place = await findNamedPlace(workspace, search);
  if (place === null) return null;
  if (place.kind !== "trace") return place.issueId === null ? [] : [place.issueId];
  const filter = { projectIds: scope.projectIds, from: null, to: null, traceId: place.traceId };
  return (await workspace.events.findIssues(filter, 100)).issueIds;
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

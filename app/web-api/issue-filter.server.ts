import { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import type { Project } from "../domain/project.ts";
import { narrowScope, type Scope } from "../domain/scope.ts";
import { DAY_MS } from "../domain/time.ts";
import type { IssueFilter } from "../features/issues/change-issues.server.ts";
import { findIssueFilter } from "../features/issues/find-issue-filter.server.ts";
import { findNamedPlace } from "../features/issues/find-named-place.server.ts";
import { refusal } from "./answers.ts";
import { ENVIRONMENTS, PROJECTS, TIME_RANGE, toEnvironments, toProjectScope, toTimeFilter } from "./query.ts";
import { sayRefusal } from "./say-refusal.ts";

/** The length of the range if a query gives an end and no start. Milliseconds. */
export const FALLBACK_RANGE_MS = 14 * DAY_MS;

/** The parameters that choose issues. */
export const ISSUE_FILTER = {
  query: z
    .string()
    .optional()
    .describe(
      "Search, in the language of the issue list (docs/search.md), or an id alone; without it `is:unresolved`, empty: all. What is not understood is answered with 400 and its place",
    ),
  ...PROJECTS,
  ...ENVIRONMENTS,
  ...TIME_RANGE,
};
const filterQuery = z.object(ISSUE_FILTER);

/** `project`: the one that the path names. @throws a 400 answer that names the part of the query that is not understood, or a 404 answer. */
export async function toIssueFilter(
  workspace: Workspace,
  { project, query, now }: { project: Project | null; query: z.output<typeof filterQuery>; now: number },
): Promise<IssueFilter> {
  const search = query.query ?? "is:unresolved";
  const scope = project ? narrowScope(workspace.scope, [project.id]) : await toProjectScope(workspace, query);
  const place = { ...toEnvironments(query), ...toTimeFilter(query, { now, fallbackMs: FALLBACK_RANGE_MS }) };
  const named = await findNamedIssues(workspace, scope, search);
  if (named) return { scope, query: { from: null, to: null, issueIds: named } };
  const found = await findIssueFilter(workspace, { search, scope, place, now });
  const [error] = found.errors;
  if (error !== undefined) throw refusal(400, sayRefusal(search, error));
  return { scope: found.scope, query: found.query };
}

/** The issues of a query that is an id and nothing else; time and environment are ignored then. Null: the query is something else. */
async function findNamedIssues(workspace: Workspace, scope: Scope, search: string): Promise<number[] | null> {
  const place = await findNamedPlace(workspace, search);
  if (place === null) return null;
  if (place.kind !== "trace") return place.issueId === null ? [] : [place.issueId];
  const filter = { projectIds: scope.projectIds, from: null, to: null, traceId: place.traceId };
  return (await workspace.events.findIssues(filter, 100)).issueIds;
}

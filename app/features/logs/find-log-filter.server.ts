import type { Workspace } from "../../access/workspace.ts";
import type { Scope } from "../../domain/scope.ts";
import { bindSearch } from "../../domain/search/bind-search.ts";
import type { Condition } from "../../domain/search/condition.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { nameId } from "../../domain/search/name-id.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import { findUnknownProjects, resolveSearchNames } from "../issues/resolve-search-names.server.ts";

export interface FoundLogFilter {
  where: Condition;
  /** What of the search is not understood, and where: then the condition means nothing. */
  errors: SearchError[];
  /** Sentences about what may be missing. */
  notes: string[];
}

/** What a search for log lines means. The id of a trace or a span alone finds its lines. `now`: milliseconds since 1970. */
export async function findLogFilter(
  workspace: Pick<Workspace, "state" | "scope">,
  { search, scope, now }: { search: string; scope: Scope; now: number },
): Promise<FoundLogFilter> {
  const { tree, errors: unread } = parseSearch(nameId(search, "span_id"));
  const { condition, errors: unbound } = bindSearch(tree, LOG_VOCABULARY, now);
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  const errors = [...unread, ...unbound, ...findUnknownProjects(tree, projects)];
  if (errors.length > 0) return { where: condition, errors: errors.sort((a, b) => a.from - b.from), notes: [] };
  const resolved = await resolveSearchNames(workspace, { condition, projects, scope });
  return { where: resolved.condition, errors: [], notes: resolved.notes };
}

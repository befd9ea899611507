import type { Workspace } from "../../access/workspace.ts";
import type { Scope } from "../../domain/scope.ts";
import { bindSearch, type NamedTag } from "../../domain/search/bind-search.ts";
import { type Condition, type FieldTest, listTests, mapTests } from "../../domain/search/condition.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { nameId } from "../../domain/search/name-id.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import { findUnknownProjects, resolveSearchNames } from "../issues/resolve-search-names.server.ts";

export interface FoundLogFilter {
  where: Condition;
  /** The parts of the search that are not understood, with their positions. If there are any, the condition is not valid. */
  errors: SearchError[];
  /** Attributes in the search, with their positions. */
  tags: NamedTag[];
  /** Sentences about results that may be missing. */
  notes: string[];
}

/** The highest number of lines that one search may name by id. */
const MAX_LINES = 100;

/**
 * The filter for a search for log lines. A search that is only the id of a trace or a span finds its lines. `now`: milliseconds
 * since 1970.
 */
export async function findLogFilter(
  workspace: Pick<Workspace, "state" | "scope" | "events">,
  { search, scope, now }: { search: string; scope: Scope; now: number },
): Promise<FoundLogFilter> {
  const { tree, errors: unread } = parseSearch(nameId(search, "span_id"));
  const { condition, errors: unbound, tags } = bindSearch(tree, LOG_VOCABULARY, now);
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  const errors = [...unread, ...unbound, ...findUnknownProjects(tree, projects)];
  if (errors.length > 0) return { where: condition, errors: errors.sort((a, b) => a.from - b.from), tags, notes: [] };
  const resolved = await resolveSearchNames(workspace, { condition, projects, scope });
  const where = await resolveLines(workspace, resolved.condition);
  if (where === null) {
    const message = `“id:” takes at most ${MAX_LINES} lines.`;
    return { where: condition, errors: [{ from: 0, to: search.length, message }], tags, notes: [] };
  }
  return { where, errors: [], tags, notes: resolved.notes };
}

/** Replaces ids of lines with the present numbers of their rows. Null: too many ids are named. */
async function resolveLines(
  { events, scope }: Pick<Workspace, "events" | "scope">,
  condition: Condition,
): Promise<Condition | null> {
  const tests = listTests(condition).filter(({ field, isTag }) => field === "lineId" && !isTag);
  const ids = new Set(tests.flatMap(({ test }) => (test.kind === "in" ? test.values : [])));
  if (ids.size > MAX_LINES) return null;
  const ordinals = new Map<string, string>();
  for (const id of ids) {
    const line = await events.getLog(scope.projectIds, id);
    if (line !== null) ordinals.set(id, String(line.ordinal));
  }
  return mapTests(condition, (each): FieldTest => {
    if (each.field !== "lineId" || each.isTag) return each;
    // The test asks whether there is an id. Every line has one.
    if (each.test.kind !== "in") return { ...each, field: "ordinal" };
    const values = each.test.values.flatMap((id) => ordinals.get(id) ?? []);
    return { ...each, field: "ordinal", test: { kind: "in", values } };
  });
}

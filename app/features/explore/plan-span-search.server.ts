import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import { narrowScope } from "../../domain/scope.ts";
import { bindSearch, type NamedTag, sayUnknownKey } from "../../domain/search/bind-search.ts";
import { allOf, type Condition, type FieldTest, mapTests } from "../../domain/search/condition.ts";
import { matchesCondition } from "../../domain/search/matches-condition.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { findField } from "../../domain/search/search-field.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";
import type { SpanKey, SpanSearchFilter } from "../../stores/events/span-search.ts";

const KNOWN_KEYS = 500;

export interface SpanQuestion {
  search: string;
  /** Empty: all of the scope. */
  projectIds: readonly number[];
  /** Empty: all. */
  environments: readonly string[];
  /** Milliseconds since 1970; whole minutes. */
  from: number;
  to: number;
  now: number;
}

export interface SpanSearchPlan {
  filter: SpanSearchFilter;
  /** What of the search is not understood; then the filter means nothing. */
  problems: SearchError[];
  tags: NamedTag[];
}

/** What a search of spans means, with names of projects as their ids. */
export async function planSpanSearch(workspace: Workspace, question: SpanQuestion): Promise<SpanSearchPlan> {
  const { search, environments, from, to, now } = question;
  const parsed = parseSearch(search);
  const bound = bindSearch(parsed.tree, SPAN_VOCABULARY, now);
  const scope = question.projectIds.length > 0 ? narrowScope(workspace.scope, question.projectIds) : workspace.scope;
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  const where = mapTests(bound.condition, (test) =>
    test.field === "project" && !test.isTag ? toIds(test, projects) : test,
  );
  return {
    filter: { projectIds: scope.projectIds, from, to, where: allOf([where, ...toEnvironments(environments)]) },
    problems: [...parsed.errors, ...bound.errors].sort((one, other) => one.from - other.from),
    tags: bound.tags,
  };
}

function toIds(test: FieldTest, projects: readonly Project[]): FieldTest {
  const named = projects.filter(({ slug }) =>
    matchesCondition({ ...test, isNegated: false }, { field: () => slug, tag: () => null, tagValues: () => [] }),
  );
  return { ...test, field: "projectId", test: { kind: "in", values: named.map(({ id }) => String(id)) } };
}

function toEnvironments(environments: readonly string[]): Condition[] {
  if (environments.length === 0) return [];
  const test = { kind: "in", values: environments } as const;
  return [{ kind: "test", field: "environment", isTag: false, test, isNegated: false }];
}

/** A key that spans are grouped by: names of spans without ids, numbers and literals. Null: the text can be no key. */
export function toSpanKey(key: string): SpanKey | null {
  if (key === "" || key.length > 200) return null;
  const field = findField(SPAN_VOCABULARY, key);
  if (field === undefined) return { name: key, isTag: true };
  const name = field.fields[0] as string;
  if (name === "project") return { name: "projectId", isTag: false };
  return { name: name === "name" ? "nameGroup" : name, isTag: false };
}

/** Where nothing was found: a sentence for each key that no span has. */
export async function sayUnknownKeys(workspace: Workspace, { filter, tags }: SpanSearchPlan): Promise<string[]> {
  if (tags.length === 0) return [];
  const { projectIds, from, to } = filter;
  const known = await workspace.events.listAttributeKeys({ projectIds, signal: "spans", from, to }, KNOWN_KEYS);
  const keys = known.map(({ key }) => key);
  return [...new Set(tags.map(({ key }) => key))]
    .filter((key) => key !== "*" && !keys.includes(key))
    .map((key) => sayUnknownKey(key, SPAN_VOCABULARY, keys));
}

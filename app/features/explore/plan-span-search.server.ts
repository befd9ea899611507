import type { Workspace } from "../../access/workspace.ts";
import { narrowScope } from "../../domain/scope.ts";
import { bindSearch, type NamedTag, sayUnknownKey } from "../../domain/search/bind-search.ts";
import { ALWAYS, allOf, type Condition } from "../../domain/search/condition.ts";
import { nameId } from "../../domain/search/name-id.ts";
import { readNamedTag } from "../../domain/search/named-tag.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import { findField } from "../../domain/search/search-field.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";
import { nameUnknownAttribute, type UnknownAttribute } from "../../domain/search/unknown-attribute.ts";
import type { SpanKey, SpanSearchFilter } from "../../stores/events/span-search.ts";
import { findUnknownProjects, resolveSearchNames } from "../issues/resolve-search-names.server.ts";

const KNOWN_KEYS = 500;
/** Errors that are shown at once. Others follow when these are corrected. */
const MAX_UNKNOWN = 3;

export interface SpanQuestion {
  search: string;
  /** Empty: all projects of the scope. */
  projectIds: readonly number[];
  /** Empty: all environments. */
  environments: readonly string[];
  /** Milliseconds since 1970; whole minutes. */
  from: number;
  to: number;
  now: number;
}

export interface SpanSearchPlan {
  filter: SpanSearchFilter;
  /** Errors of the search. If there are any, the filter is not valid. */
  problems: SearchError[];
  /** Sentences about results that may be missing. */
  notes: string[];
  /** Attributes that no span has, as far as spans were searched. The notes name them, too. */
  unseen: UnknownAttribute[];
  /** Attributes in the search, with their positions. */
  tags: NamedTag[];
}

/** The filter for a search for spans. A search that is only the id of a trace or a span finds its spans. */
export async function planSpanSearch(workspace: Workspace, question: SpanQuestion): Promise<SpanSearchPlan> {
  const { search, environments, from, to, now } = question;
  const { tree, errors: unread } = parseSearch(nameId(search, "id"));
  const bound = bindSearch(tree, SPAN_VOCABULARY, now);
  const scope = question.projectIds.length > 0 ? narrowScope(workspace.scope, question.projectIds) : workspace.scope;
  const toFilter = (where: Condition): SpanSearchFilter => ({
    projectIds: scope.projectIds,
    from,
    to,
    where: allOf([where, ...toEnvironments(environments)]),
  });
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  const errors = [...unread, ...bound.errors, ...findUnknownProjects(tree, projects)];
  if (errors.length > 0) {
    const problems = errors.sort((one, other) => one.from - other.from);
    return { filter: toFilter(bound.condition), problems, notes: [], unseen: [], tags: bound.tags };
  }
  const { condition, notes } = await resolveSearchNames(workspace, { condition: bound.condition, projects, scope });
  const filter = toFilter(condition);
  const { unknown, unseen } = await checkTags(workspace, filter, bound.tags);
  const sentences = [...notes, ...unseen.map(({ message }) => message)];
  return { filter, problems: unknown, notes: sentences, unseen, tags: bound.tags };
}

/** Errors for attributes that no span has, and attributes that none has as far as spans were searched. */
async function checkTags(
  workspace: Workspace,
  filter: SpanSearchFilter,
  tags: readonly NamedTag[],
): Promise<{ unknown: SearchError[]; unseen: UnknownAttribute[] }> {
  const places = new Map(tags.map((tag) => [tag.key, tag]));
  const unknown: SearchError[] = [];
  const unseen: UnknownAttribute[] = [];
  for (const { key, since, known, ...named } of await findUnseenAttributes(workspace, filter, [...places.keys()])) {
    if (since !== null || named.isConventional) unseen.push({ key, ...named });
    else unknown.push({ ...(places.get(key) as NamedTag), message: sayUnknownKey(key, SPAN_VOCABULARY, known) });
  }
  return { unknown, unseen };
}

/** An attribute that no span has, as far as spans were searched. */
interface UnseenAttribute extends UnknownAttribute {
  /** Spans before this instant were not searched. Milliseconds since 1970. Null: the whole time was searched. */
  since: number | null;
  /** Keys of attributes that spans have. */
  known: readonly string[];
}

/** The keys that, as far as the sums know, no span ever had, and that no span in the time has. */
export async function findUnseenAttributes(
  { events }: Pick<Workspace, "events">,
  { projectIds, from, to }: Pick<SpanSearchFilter, "projectIds" | "from" | "to">,
  keys: readonly string[],
): Promise<UnseenAttribute[]> {
  const ever = { projectIds, signal: "spans", from: 0, to } as const;
  const findNewest = (where: Condition) =>
    events.findSpans({ projectIds, from, to, where }, { order: "newest", cursor: null, limit: 1 });
  const unseen: UnseenAttribute[] = [];
  for (const key of keys) {
    if (key === "*" || (await events.listAttributeValues({ ...ever, key }, 1)).length > 0) continue;
    // The sums leave out data about people and rare keys, and lag by some seconds.
    const found = await findNewest({
      kind: "test",
      field: key,
      isTag: true,
      isNegated: false,
      test: { kind: "exists" },
    });
    if (found.spans.length > 0) continue;
    const known = (await events.listAttributeKeys(ever, KNOWN_KEYS)).map((each) => each.key);
    // If there is no span at all, keys cannot be called unseen.
    if (known.length === 0 && (await findNewest(ALWAYS)).spans.length === 0) return [];
    const since = found.searchedFrom;
    const named = nameUnknownAttribute(key, { rows: "span", since, vocabulary: SPAN_VOCABULARY, known });
    unseen.push({ ...named, since, known });
    if (unseen.length === MAX_UNKNOWN) break;
  }
  return unseen;
}

function toEnvironments(environments: readonly string[]): Condition[] {
  if (environments.length === 0) return [];
  const test = { kind: "in", values: environments } as const;
  return [{ kind: "test", field: "environment", isTag: false, test, isNegated: false }];
}

/** A key to group spans by. For names of spans, ids, numbers and literals are ignored. Null: the text cannot be a key. */
export function toSpanKey(key: string): SpanKey | null {
  if (key === "" || key.length > 200) return null;
  const tag = readNamedTag(key);
  const field = tag === null ? findField(SPAN_VOCABULARY, key) : undefined;
  if (field === undefined) return { name: tag?.key ?? key, isTag: true };
  const name = field.fields[0] as string;
  if (name === "project") return { name: "projectId", isTag: false };
  return { name: name === "name" ? "nameGroup" : name, isTag: false };
}

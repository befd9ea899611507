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
/** Further ones are named when these are right. */
const MAX_UNKNOWN = 3;

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
  /** Sentences about what may be missing. */
  notes: string[];
  /** Attributes that no span has, as far as they were looked for; the notes name them, too. */
  unseen: UnknownAttribute[];
  /** Attributes that the search names, and where. */
  tags: NamedTag[];
}

/** What a search of spans means. The id of a trace or a span alone finds its spans. */
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

/** Errors for attributes that no span has, and those that none has as far as spans are searched. */
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
  /** Instant before which nothing was looked at, in milliseconds since 1970; null: all of the time was. */
  since: number | null;
  /** Keys of attributes that spans have. */
  known: readonly string[];
}

/** Those of the keys that no span ever had, as far as the sums know, and no span of the time has. */
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
    // The sums leave out what names people and what is rare, and are behind by some seconds.
    const found = await findNewest({
      kind: "test",
      field: key,
      isTag: true,
      isNegated: false,
      test: { kind: "exists" },
    });
    if (found.spans.length > 0) continue;
    const known = (await events.listAttributeKeys(ever, KNOWN_KEYS)).map((each) => each.key);
    // Where there is no span at all, nothing can be said of keys.
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

/** A key that spans are grouped by: names of spans without ids, numbers and literals. Null: the text can be no key. */
export function toSpanKey(key: string): SpanKey | null {
  if (key === "" || key.length > 200) return null;
  const tag = readNamedTag(key);
  const field = tag === null ? findField(SPAN_VOCABULARY, key) : undefined;
  if (field === undefined) return { name: tag?.key ?? key, isTag: true };
  const name = field.fields[0] as string;
  if (name === "project") return { name: "projectId", isTag: false };
  return { name: name === "name" ? "nameGroup" : name, isTag: false };
}

import type { Workspace } from "../../access/workspace.ts";
import { hasRight, narrowScope, type Scope } from "../../domain/scope.ts";
import { allOf, anyOf, type Condition, isAlways, listTests } from "../../domain/search/condition.ts";
import { ISSUE_VOCABULARY, isOfIssue } from "../../domain/search/issue-vocabulary.ts";
import { findField } from "../../domain/search/search-field.ts";
import type { SearchError, SearchNode } from "../../domain/search/search-tree.ts";
import { type Alternative, splitCondition } from "../../domain/search/split-condition.ts";
import { SEARCHED_EVENTS } from "../../stores/events/error-events.ts";
import type { IssueQuery } from "../../stores/state/issue-store.ts";
import { findUnknownTags } from "../events/find-unknown-tags.server.ts";
import { readStoredEvents } from "../events/read-stored-events.server.ts";
import type { IssueFilter } from "./change-issues.server.ts";
import { planIssueSearch } from "./plan-issue-search.ts";
import { findUnknownProjects, resolveSearchNames } from "./resolve-search-names.server.ts";
import { findUnknownAssignees, listNamedAssignees } from "./search-assignees.server.ts";
import { toIssueQuery } from "./to-issue-query.ts";

/** Issues that are found through their events. If there are more, those with the oldest events are left out. */
const MAX_ISSUES = 10_000;
/** Alternatives of a search. Each alternative with conditions on events reads the events once. */
const MAX_ALTERNATIVES = 16;

export interface FoundIssueFilter extends IssueFilter {
  /** Errors of the search. If there are any, nothing was searched for. */
  errors: SearchError[];
  /** Sentences about results that may be missing. */
  notes: string[];
}

type Place = Pick<IssueQuery, "from" | "to" | "environments">;

/**
 * The filter for the issues that a search means. An issue matches if one of its events, in the query's time and environments, fits
 * the whole search together with the issue. `scope` and `place`: what the reader chose beside the search.
 */
export async function findIssueFilter(
  workspace: Pick<Workspace, "state" | "events" | "scope" | "user" | "whenEventsStored">,
  {
    search,
    scope,
    place,
    now,
    hidesSnoozed = false,
  }: {
    search: string;
    scope: Scope;
    place: Place;
    now: number;
    /** Leaves out issues that the reader has snoozed, unless the search names issues or has a condition on snoozes. */
    hidesSnoozed?: boolean;
  },
): Promise<FoundIssueFilter> {
  const plan = planIssueSearch(search, now);
  const refuse = (errors: SearchError[]) => ({ scope, query: place, errors, notes: [] });
  const unsnoozed = hidesSnoozed ? await toUnsnoozed(workspace, plan.tree === null ? null : plan.condition, now) : [];
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  const people = await listNamedAssignees(workspace, plan.tree);
  const errors = [
    ...plan.errors,
    ...findUnknownProjects(plan.tree, projects),
    ...findUnknownAssignees(plan.tree, people, {
      isPerson: workspace.user !== null,
      mayReadMembers: hasRight(workspace.scope, "member:read"),
    }),
  ];
  if (errors.length > 0) return refuse(errors.sort((one, other) => one.from - other.from));
  if (plan.tree === null)
    return { scope, query: { ...place, ...toIssueQuery(allOf(unsnoozed)) }, errors: [], notes: [] };
  const resolved = await resolveSearchNames(workspace, { condition: plan.condition, projects, scope, people });
  const narrowed = narrowPlace(resolved.condition, scope, place);
  if (narrowed.nothing !== null) {
    const message = `No ${narrowed.nothing} is both chosen beside the search and named in it.`;
    const { from, to } = findFilter(plan.tree, narrowed.nothing) ?? plan.tree;
    return refuse([{ from, to, message }]);
  }
  const alternatives = splitCondition(narrowed.condition, isOfIssue, MAX_ALTERNATIVES);
  if (alternatives === null) {
    const message = `“OR” joins too much of issues with too much of their events: more than ${MAX_ALTERNATIVES} combinations.`;
    return refuse([{ from: plan.tree.from, to: plan.tree.to, message }]);
  }
  const unknownTags = await findUnknownTags(workspace, {
    ...plan,
    vocabulary: ISSUE_VOCABULARY,
    projectIds: narrowed.scope.projectIds,
  });
  if (unknownTags.length > 0) return refuse(unknownTags);
  const found = await Promise.all(alternatives.map((each) => findAlternative(workspace, each, narrowed)));
  const notes = [...new Set([...resolved.notes, ...found.flatMap((each) => each.notes)])];
  const query = {
    ...narrowed.place,
    ...toIssueQuery(allOf([anyOf(found.map(({ condition }) => condition)), ...unsnoozed])),
  };
  return { scope: narrowed.scope, query, errors: [], notes };
}

/** The condition that leaves out the reader's snoozed issues. Empty if there are none, as for most readers. */
async function toUnsnoozed(
  { state, user }: Pick<Workspace, "state" | "user">,
  condition: Condition | null,
  now: number,
): Promise<Condition[]> {
  const named = condition === null ? [] : listTests(condition);
  if (user === null || named.some(({ field }) => field === "snoozed" || field === "shortId")) return [];
  if (!(await state.comments.hasSnoozes(user.id, now))) return [];
  const test = { kind: "in", values: [String(user.id)] } as const;
  return [{ kind: "test", field: "snoozed", isTag: false, isNegated: true, test }];
}

/** The projects and environments that the whole search asks for. Lists, counts and graphs use only those. */
function narrowPlace(
  condition: Condition,
  scope: Scope,
  place: Place,
): { condition: Condition; scope: Scope; place: Place; nothing: "project" | "environment" | null } {
  const left: Condition[] = [];
  let [projectIds, environments]: [readonly number[], readonly string[] | undefined] = [
    scope.projectIds,
    place.environments,
  ];
  for (const part of condition.kind === "all" ? condition.parts : [condition]) {
    if (part.kind !== "test" || part.isTag || part.isNegated || part.test.kind !== "in") left.push(part);
    else if (part.field === "projectId") {
      const named = part.test.values.map(Number);
      projectIds = projectIds.filter((id) => named.includes(id));
    } else if (part.field === "environment") {
      const named = part.test.values;
      environments = environments?.filter((name) => named.includes(name)) ?? named;
    } else left.push(part);
  }
  const isChosen = projectIds.length < scope.projectIds.length;
  return {
    nothing: isChosen && projectIds.length === 0 ? "project" : environments?.length === 0 ? "environment" : null,
    condition: allOf(left),
    scope: isChosen ? narrowScope(scope, projectIds) : scope,
    place: { ...place, ...(environments ? { environments: [...environments] } : {}) },
  };
}

/** The first filter with this key that every match has to fulfil: it is neither negated nor in an alternative. */
function findFilter(tree: SearchNode, key: string): SearchNode | null {
  if (tree.kind === "filter") return findField(ISSUE_VOCABULARY, tree.key)?.key === key ? tree : null;
  if (tree.kind !== "all") return null;
  return tree.parts.map((part) => findFilter(part, key)).find((found) => found !== null) ?? null;
}

/** Turns an alternative into a condition on issues, with the ids of issues whose events fit. */
async function findAlternative(
  workspace: Pick<Workspace, "events" | "whenEventsStored">,
  { issue, event }: Alternative,
  { scope, place }: { scope: Scope; place: Place },
): Promise<{ condition: Condition; notes: string[] }> {
  if (isAlways(event)) return { condition: issue, notes: [] };
  // The state store knows which issues have an event of a release.
  if (isOfReleases(event)) return { condition: allOf([event, issue]), notes: [] };
  const { events } = workspace;
  const filter = { projectIds: scope.projectIds, ...place, where: event };
  let storedFrom = 0;
  const { issueIds, isComplete } = await readStoredEvents(
    workspace,
    async () => {
      const found = await events.findIssues(filter, MAX_ISSUES, storedFrom);
      // If the search has to run again, it looks only at events that were stored since.
      storedFrom = found.storedUpTo;
      return found;
    },
    (found) => found.issueIds.length === 0,
  );
  const ids: Condition = {
    kind: "test",
    field: "id",
    isTag: false,
    isNegated: false,
    test: { kind: "in", values: issueIds.map(String) },
  };
  return { condition: allOf([ids, issue]), notes: isComplete ? [] : [INCOMPLETE] };
}

const INCOMPLETE = `What a search says of events is looked for in the newest ${SEARCHED_EVENTS.toLocaleString("en")} events, and at most ${MAX_ISSUES.toLocaleString("en")} issues are found by them: older ones may be missing.`;

function isOfReleases(condition: Condition): boolean {
  return (
    condition.kind === "test" &&
    condition.field === "release" &&
    !condition.isTag &&
    !condition.isNegated &&
    condition.test.kind === "in"
  );
}

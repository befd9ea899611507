import type { Workspace } from "../../access/workspace.ts";
import type { Scope } from "../../domain/scope.ts";
import { bindSearch } from "../../domain/search/bind-search.ts";
import { type Condition, type FieldTest, listTests, mapTests } from "../../domain/search/condition.ts";
import { ERROR_VOCABULARY, isOfItsIssue } from "../../domain/search/event-vocabulary.ts";
import { parseSearch } from "../../domain/search/parse-search.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import type { EventFilter } from "../../stores/events/error-events.ts";
import { SEARCHED_EVENTS } from "../../stores/events/error-events.ts";
import type { IssuePage } from "../../stores/state/issue-store.ts";
import { findUnknownProjects, resolveSearchNames } from "../issues/resolve-search-names.server.ts";
import { findUnknownTags } from "./find-unknown-tags.server.ts";
import { toEventFilter } from "./plan-event-search.ts";

export interface FoundErrorFilter {
  filter: EventFilter & { from: number; to: number };
  /** Errors of the search. If there are any, the filter is not valid. */
  errors: SearchError[];
  /** Start of the searched time, in milliseconds since 1970. Null: the whole range is searched. */
  searchedFrom: number | null;
}

/** The highest number of issues that one search may name. */
const MAX_ISSUES = 100;
/** The highest number of issues that are looked up to find their events. */
const MAX_FOUND_ISSUES = 1_000;
const ISSUE_PAGE = 100;

/** The filter for a search for error events of any issue. Only the newest million events are searched. `now`: milliseconds since 1970. */
export async function findErrorFilter(
  workspace: Workspace,
  question: { search: string; scope: Scope; from: number; to: number; environments: readonly string[]; now: number },
): Promise<FoundErrorFilter> {
  const { search, scope, from, to, environments, now } = question;
  const { tree, errors: unread } = parseSearch(search);
  const bound = bindSearch(tree, ERROR_VOCABULARY, now);
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  const place = { projectIds: scope.projectIds, from, to, environments: [...environments] };
  const errors = [...unread, ...bound.errors, ...findUnknownProjects(tree, projects)];
  const refuse = (all: SearchError[]) => ({ filter: place, errors: all, searchedFrom: null });
  if (errors.length > 0) return refuse(errors.sort((one, other) => one.from - other.from));
  const unknown = await findUnknownTags(workspace, {
    tags: bound.tags,
    vocabulary: ERROR_VOCABULARY,
    projectIds: scope.projectIds,
  });
  if (unknown.length > 0) return refuse(unknown);
  const resolved = await resolveSearchNames(workspace, { condition: bound.condition, projects, scope });
  const named = await resolveIssues(workspace, resolved.condition);
  if (named === null) {
    const message = `“issue:” takes whole short ids, like issue:SHOP-1F, at most ${MAX_ISSUES} of them.`;
    return refuse([{ from: 0, to: search.length, message }]);
  }
  const condition = await resolveFieldsOfIssues(workspace, scope, named);
  if (condition === null) {
    const most = MAX_FOUND_ISSUES.toLocaleString("en");
    const message = `What is said of error.type:, error.value: and culprit: fits more than ${most} issues. Say more, or search for issues.`;
    return refuse([{ from: 0, to: search.length, message }]);
  }
  const searchedFrom = await workspace.events.findBound(place, SEARCHED_EVENTS);
  return { filter: { ...place, from: searchedFrom ?? from, ...toEventFilter(condition) }, errors: [], searchedFrom };
}

/** Replaces tests of fields that only issues have with the ids of matching issues. Null: more issues match than a search can name. */
async function resolveFieldsOfIssues(
  { state }: Workspace,
  scope: Scope,
  condition: Condition,
): Promise<Condition | null> {
  const found = new Map<FieldTest, FieldTest>();
  for (const each of listTests(condition).filter(isOfItsIssue)) {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: IssuePage = await state.issues.listIssues(scope, {
        where: { ...each, isNegated: false },
        from: null,
        to: null,
        sort: "first_seen",
        cursor,
        limit: ISSUE_PAGE,
      });
      ids.push(...page.issues.map(({ id }) => String(id)));
      if (ids.length > MAX_FOUND_ISSUES) return null;
      cursor = page.issues.length === 0 ? null : page.nextCursor;
    } while (cursor !== null);
    found.set(each, { ...each, field: "issueId", test: { kind: "in", values: ids } });
  }
  return found.size === 0 ? condition : mapTests(condition, (each): FieldTest => found.get(each) ?? each);
}

/** Replaces short ids with the ids of issues. Null: there are too many of them, or one is a pattern. */
async function resolveIssues({ state, scope }: Workspace, condition: Condition): Promise<Condition | null> {
  const tests = listTests(condition).filter(({ field, isTag }) => field === "issue" && !isTag);
  const names = tests.flatMap(({ test }) => (test.kind === "in" ? test.values : []));
  if (names.length > MAX_ISSUES || tests.some(({ test }) => test.kind === "like")) return null;
  const ids = new Map<string, string>();
  for (const name of new Set(names)) {
    const issue = await state.issues.getIssueByShortId(scope, name.toUpperCase());
    if (issue) ids.set(name, String(issue.id));
  }
  return mapTests(condition, (each): FieldTest => {
    if (each.field !== "issue" || each.isTag) return each;
    // The test asks whether there is an issue. Every error has one.
    if (each.test.kind !== "in") return { ...each, field: "issueId" };
    const values = each.test.values.flatMap((name) => ids.get(name) ?? []);
    return { ...each, field: "issueId", test: { kind: "in", values } };
  });
}

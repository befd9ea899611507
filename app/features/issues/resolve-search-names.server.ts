import type { Workspace } from "../../access/workspace.ts";
import type { Project } from "../../domain/project.ts";
import type { Scope } from "../../domain/scope.ts";
import {
  allOf,
  anyOf,
  type Condition,
  type FieldTest,
  listTests,
  mapTests,
  negate,
} from "../../domain/search/condition.ts";
import { matchesCondition } from "../../domain/search/matches-condition.ts";
import { findNearestKey } from "../../domain/search/nearest-key.ts";
import { type SearchError, type SearchNode, toPlainText } from "../../domain/search/search-tree.ts";
import { type NamedAssignee, toAssigneeTest } from "./search-assignees.server.ts";

/** If there are more versions, those farthest from the requested one are left out. */
const MAX_VERSIONS = 5_000;

/** Replaces names with ids and versions: projects, people, orders of versions, the latest release. */
export async function resolveSearchNames(
  { state, user = null }: Pick<Workspace, "state"> & Partial<Pick<Workspace, "user">>,
  {
    condition,
    projects,
    scope,
    people = [],
  }: { condition: Condition; projects: readonly Project[]; scope: Scope; people?: readonly NamedAssignee[] },
): Promise<{ condition: Condition; notes: string[] }> {
  const notes: string[] = [];
  const found = new Map<FieldTest, Condition>();
  for (const each of listTests(condition)) {
    const { field, test, isNegated } = each;
    if (field === "bookmarks" || field === "snoozed")
      found.set(each, { ...each, test: { kind: "in", values: user ? [String(user.id)] : [] } });
    else if (field === "assigned" || field === "assignedOrSuggested") found.set(each, toAssigneeTest(each, people));
    else if (field === "project") found.set(each, toProjectIds(each, projects));
    else if (field === "service" && !each.isTag) found.set(each, toServiceTest(each, projects));
    else if (test.kind === "version") {
      const values = await state.releases.findVersions(scope, test, MAX_VERSIONS);
      if (values.length === MAX_VERSIONS)
        notes.push(`Only the ${MAX_VERSIONS.toLocaleString("en")} releases nearest to ${test.version} are looked at.`);
      found.set(each, { ...each, test: { kind: "in", values } });
    } else if (isOfVersions(field) && isLatest(test)) {
      const latest = await listLatest(state, scope);
      const alternatives = [...latest].map(
        ([projectId, version]): Condition => ({
          kind: "all",
          parts: [
            {
              kind: "test",
              field: "projectId",
              isTag: false,
              isNegated: false,
              test: { kind: "in", values: [projectId] },
            },
            { kind: "test", field, isTag: false, isNegated: false, test: { kind: "in", values: [version] } },
          ],
        }),
      );
      found.set(each, isNegated ? negate(anyOf(alternatives)) : anyOf(alternatives));
    }
  }
  return { condition: found.size === 0 ? condition : mapTests(condition, (each) => found.get(each) ?? each), notes };
}

/** Whether a test names something that must be looked up first. */
export function isLookedUp({ field, test }: FieldTest): boolean {
  return (
    field === "project" ||
    field === "assigned" ||
    field === "assignedOrSuggested" ||
    field === "bookmarks" ||
    field === "snoozed" ||
    test.kind === "version" ||
    (isOfVersions(field) && isLatest(test))
  );
}

/** An error for each named project that does not exist. */
export function findUnknownProjects(tree: SearchNode | null, projects: readonly Project[]): SearchError[] {
  if (tree === null) return [];
  switch (tree.kind) {
    case "all":
    case "any":
      return tree.parts.flatMap((part) => findUnknownProjects(part, projects));
    case "not":
      return findUnknownProjects(tree.part, projects);
    case "text":
      return [];
    case "filter": {
      if (tree.isTag || !/^project(?:\.name)?$/i.test(tree.key)) return [];
      return tree.values.flatMap((value) => {
        const slug = toPlainText(value);
        if (slug === null || projects.some((project) => project.slug === slug)) return [];
        const near = findNearestKey(
          slug,
          projects.map((project) => project.slug),
        );
        const hint = near === null ? "" : ` Did you mean project:${near}?`;
        return { from: value.from, to: value.to, message: `There is no project “${slug}”.${hint}` };
      });
    }
  }
}

/** A test for the service that pages show: see `nameService`. */
function toServiceTest(each: FieldTest, projects: readonly Project[]): Condition {
  if (each.test.kind === "exists") return each;
  const byProject = toProjectIds({ ...each, isNegated: false }, projects);
  if (isImpossible(byProject)) return each;
  const unnamed: FieldTest = { ...each, isNegated: true, test: { kind: "exists" } };
  const alternatives = anyOf([{ ...each, isNegated: false }, allOf([unnamed, byProject])]);
  return each.isNegated ? negate(alternatives) : alternatives;
}

function isImpossible({ test }: FieldTest): boolean {
  return test.kind === "in" && test.values.length === 0;
}

function toProjectIds(each: FieldTest, projects: readonly Project[]): FieldTest {
  const ids = projects
    .filter(({ slug }) => {
      const row = { field: () => slug, tag: () => null, tagValues: () => [] };
      return matchesCondition({ ...each, isNegated: false }, row);
    })
    .map(({ id }) => String(id));
  return { ...each, field: "projectId", test: { kind: "in", values: ids } };
}

function isLatest(test: FieldTest["test"]): boolean {
  return test.kind === "in" && test.values.includes("latest");
}

function isOfVersions(field: string): boolean {
  return field === "release" || field === "firstRelease";
}

/** The latest release of each project. Projects without a release are absent. */
async function listLatest(state: Workspace["state"], scope: Scope): Promise<Map<string, string>> {
  const latest = new Map<string, string>();
  for (const projectId of scope.projectIds) {
    const release = await state.releases.getLatestRelease(scope, projectId);
    if (release) latest.set(String(projectId), release.version);
  }
  return latest;
}

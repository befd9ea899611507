import type { Workspace } from "../../access/workspace.ts";
import { type AssigneeRef, toAssigneeText } from "../../domain/issues/triage.ts";
import { allOf, anyOf, type Condition, type FieldTest, negate } from "../../domain/search/condition.ts";
import { ISSUE_VOCABULARY } from "../../domain/search/issue-vocabulary.ts";
import { matchesCondition } from "../../domain/search/matches-condition.ts";
import { findNearestKey } from "../../domain/search/nearest-key.ts";
import { findField } from "../../domain/search/search-field.ts";
import { type FilterNode, type SearchError, type SearchNode, toPlainText } from "../../domain/search/search-tree.ts";

/** A member or a team, with the names that a search may use. */
export interface NamedAssignee extends AssigneeRef {
  /** Name and e-mail address, or the slug of a team with a hash. */
  names: readonly string[];
  /** Whether it is the reader, or a team of the reader. */
  isOwn: boolean;
}

/** Every member and team that the search could mean. Empty if the search has no condition on assignees. */
export async function listNamedAssignees(
  { state, scope, user }: Pick<Workspace, "state" | "scope" | "user">,
  tree: SearchNode | null,
): Promise<NamedAssignee[]> {
  if (listAssigneeFilters(tree).length === 0) return [];
  const [members, teams] = await Promise.all([state.members.listMembers(scope), state.members.listTeams(scope)]);
  return [
    ...members.map(({ userId, name, email }): NamedAssignee => {
      return { kind: "user", id: userId, names: [name, email], isOwn: userId === user?.id };
    }),
    ...teams.map(({ id, slug, memberIds }): NamedAssignee => {
      return { kind: "team", id, names: [`#${slug}`], isOwn: user !== null && memberIds.includes(user.id) };
    }),
  ];
}

const OWN = new Set(["me", "my_teams"]);

/**
 * An error for each named person or team that does not exist. `isPerson` false: `me` means nobody. `mayReadMembers` false: the
 * error suggests no similar name.
 */
export function findUnknownAssignees(
  tree: SearchNode | null,
  people: readonly NamedAssignee[],
  { isPerson, mayReadMembers }: { isPerson: boolean; mayReadMembers: boolean },
): SearchError[] {
  return listAssigneeFilters(tree).flatMap(({ key, values }) =>
    values.flatMap((value): SearchError[] => {
      const name = toPlainText(value)?.toLowerCase();
      const span = { from: value.from, to: value.to };
      if (name === undefined || name === "none") return [];
      if (OWN.has(name))
        return isPerson
          ? []
          : [{ ...span, message: `“${key}:${name}” needs a person, and this token stands for none.` }];
      if (people.some(({ names }) => names.some((each) => each.toLowerCase() === name))) return [];
      const near = findNearestKey(
        name,
        people.flatMap(({ names }) => (mayReadMembers ? names : [])),
      );
      const hint = near === null ? "" : ` Did you mean “${near}”?`;
      return [{ ...span, message: `No member and no team is called “${name}”.${hint}` }];
    }),
  );
}

/** Replaces a test of `assigned` or `assigned_or_suggested` with a condition on ids. A suggestion only counts while nobody is assigned. */
export function toAssigneeTest(each: FieldTest, people: readonly NamedAssignee[]): Condition {
  const meaning = toMeaning(each, people);
  return each.isNegated ? negate(meaning) : meaning;
}

function toMeaning(each: FieldTest, people: readonly NamedAssignee[]): Condition {
  const isSet = (field: string): FieldTest => ({ ...each, field, test: { kind: "exists" }, isNegated: false });
  const [assigned, suggested] = [isSet("assignee"), isSet("suggested")];
  const withSuggested = each.field === "assignedOrSuggested";
  if (each.test.kind === "exists") return withSuggested ? anyOf([assigned, suggested]) : assigned;
  const { values, isNone } = findMeant(each, people);
  const test = { kind: "in", values } as const;
  const nobody: Condition = { ...assigned, isNegated: true };
  return anyOf([
    { ...assigned, test },
    ...(withSuggested ? [allOf([nobody, { ...suggested, test }])] : []),
    ...(isNone ? [withSuggested ? allOf([nobody, { ...suggested, isNegated: true }]) : nobody] : []),
  ]);
}

/** The assignees that a test means, as texts, and whether it means nobody. */
function findMeant(each: FieldTest, people: readonly NamedAssignee[]): { values: string[]; isNone: boolean } {
  const words = each.test.kind === "in" ? each.test.values.map((value) => value.toLowerCase()) : [];
  const isMeant = ({ kind, names, isOwn }: NamedAssignee) => {
    if (isOwn && words.includes(kind === "user" ? "me" : "my_teams")) return true;
    if (each.test.kind === "in") return names.some((name) => words.includes(name.toLowerCase()));
    return names.some((name) => {
      const row = { field: () => name, tag: () => null, tagValues: () => [] };
      return matchesCondition({ ...each, isNegated: false }, row);
    });
  };
  return { values: people.filter(isMeant).map(toAssigneeText), isNone: words.includes("none") };
}

function listAssigneeFilters(tree: SearchNode | null): FilterNode[] {
  if (tree === null) return [];
  switch (tree.kind) {
    case "all":
    case "any":
      return tree.parts.flatMap(listAssigneeFilters);
    case "not":
      return listAssigneeFilters(tree.part);
    case "text":
      return [];
    case "filter":
      return !tree.isTag && isAssigneeKey(findField(ISSUE_VOCABULARY, tree.key)?.key) ? [tree] : [];
  }
}

/** Whether the values of a field of issues are people and teams. */
export function isAssigneeKey(key: string | undefined): boolean {
  return key === "assigned" || key === "assigned_or_suggested";
}

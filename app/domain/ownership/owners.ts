import type { Assignee } from "../issues/triage.ts";
import type { OwnershipRule } from "./ownership-rules.ts";

/** The owner that a rule names. `unknown`: there is no such member or team. `unseeing`: they do not see the project. */
export type NamedOwner = { owner: string } & (
  | { state: "found"; assignee: Assignee }
  | { state: "unknown" | "unseeing" }
);

export type NameOwner = (owner: string) => NamedOwner;

/** @param assignees members and teams that see the project */
export function createOwnerNames({
  assignees,
  members,
  teams,
}: {
  assignees: readonly Assignee[];
  members: ReadonlyArray<{ userId: number; email: string }>;
  teams: ReadonlyArray<{ slug: string }>;
}): NameOwner {
  const users = new Map(assignees.flatMap((each) => (each.kind === "user" ? [[each.id, each] as const] : [])));
  const bySlug = new Map(assignees.flatMap((each) => (each.kind === "team" ? [[each.slug, each] as const] : [])));
  const idByMail = new Map(members.map(({ userId, email }) => [email.toLowerCase(), userId]));
  const slugs = new Set(teams.map(({ slug }) => slug));
  return (owner) => {
    const name = owner.toLowerCase();
    const slug = name.startsWith("#") ? name.slice(1) : null;
    const id = idByMail.get(name);
    const assignee = slug === null ? (id === undefined ? undefined : users.get(id)) : bySlug.get(slug);
    if (assignee) return { owner, state: "found", assignee };
    const isKnown = slug === null ? id !== undefined : slugs.has(slug);
    return { owner, state: isKnown ? "unseeing" : "unknown" };
  };
}

/** The assignee of issues that the rule matches: the first of its owners who sees the project. Null: nobody. */
export function findRuleAssignee(rule: Pick<OwnershipRule, "owners">, nameOwner: NameOwner): Assignee | null {
  for (const owner of rule.owners) {
    const named = nameOwner(owner);
    if (named.state === "found") return named.assignee;
  }
  return null;
}

import { type ApiScope, allowsScope } from "./api-token.ts";

/** Rights of people, in the words of tokens. */
export type Right = ApiScope;

declare const madeByAccess: unique symbol;

/** Ids of projects that a scope holds: ascending, each once. Empty: nothing of any project. */
export type ScopedProjectIds = readonly number[] & { readonly [madeByAccess]: true };

/**
 * The projects that a person may see, and the rights there. Every read and write for people and their tools takes a scope. Only
 * `app/access/` makes one; all other code can only narrow it.
 */
export interface Scope {
  readonly [madeByAccess]: true;
  readonly organizationId: number;
  readonly projectIds: ScopedProjectIds;
  readonly rights: readonly Right[];
}

/** For `app/access/` only: `tests/unit/import-boundaries.test.ts` fails if other code uses it. */
export function makeScope(input: {
  organizationId: number;
  projectIds: readonly number[];
  rights: readonly Right[];
}): Scope {
  const projectIds = [...new Set(input.projectIds)].sort((a, b) => a - b);
  return { organizationId: input.organizationId, projectIds, rights: [...input.rights] } as unknown as Scope;
}

/** The scope limited to those of the named projects that are in it. A project outside it is left out silently. */
export function narrowScope(scope: Scope, projectIds: readonly number[]): Scope {
  const wanted = new Set(projectIds);
  return { ...scope, projectIds: scope.projectIds.filter((id) => wanted.has(id)) as unknown as ScopedProjectIds };
}

export function includesProject(scope: Scope, projectId: number): boolean {
  return scope.projectIds.includes(projectId);
}

/** Whether the scope has one of these rights, itself or by implication. */
export function hasRight(scope: Scope, ...rights: Right[]): boolean {
  return allowsScope(scope.rights, rights);
}

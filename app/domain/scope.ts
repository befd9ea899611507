import { type ApiScope, allowsScope } from "./api-token.ts";

/** Rights of people, in the words of tokens. */
export type Right = ApiScope;

declare const madeByAccess: unique symbol;

/** Ids of projects that a scope holds: ascending, each once. Empty: nothing of any project. */
export type ScopedProjectIds = readonly number[] & { readonly [madeByAccess]: true };

/**
 * What somebody may see, and what they may do there. Every read and write of people and of their tools takes one.
 * Only `app/access/` makes a scope; everybody else can only narrow it.
 */
export interface Scope {
  readonly [madeByAccess]: true;
  readonly organizationId: number;
  readonly projectIds: ScopedProjectIds;
  readonly rights: readonly Right[];
}

/** For `app/access/` alone: `tests/unit/import-boundaries.test.ts` keeps everybody else from it. */
export function makeScope(input: {
  organizationId: number;
  projectIds: readonly number[];
  rights: readonly Right[];
}): Scope {
  const projectIds = [...new Set(input.projectIds)].sort((a, b) => a - b);
  return { organizationId: input.organizationId, projectIds, rights: [...input.rights] } as unknown as Scope;
}

/** The same scope over those of the named projects that are in it. A project outside of it is left out in silence. */
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

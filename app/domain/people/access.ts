import { type Role, seesEveryProject } from "./roles.ts";

/** The sources of a member's rights. */
export interface Access {
  role: Role;
  /** Projects that the member was given without a team. Ascending. */
  projectIds: readonly number[];
  /** Sorted by name. */
  teams: readonly TeamAccess[];
}

export interface TeamAccess {
  id: number;
  slug: string;
  name: string;
  /** Every project, also those that come later. */
  hasAllProjects: boolean;
  projectIds: readonly number[];
}

/** One way in which a person sees a project. */
export type AccessPath =
  | { kind: "role"; role: Role }
  | { kind: "team"; team: TeamAccess }
  | { kind: "every-project"; team: TeamAccess }
  | { kind: "given" };

/** Every way by which the member sees the project; empty: the member does not see it. */
export function findPaths(access: Access, projectId: number): AccessPath[] {
  return [
    ...(seesEveryProject(access.role) ? [{ kind: "role", role: access.role } as const] : []),
    ...access.teams.flatMap((team): AccessPath[] => {
      if (team.hasAllProjects) return [{ kind: "every-project", team }];
      return team.projectIds.includes(projectId) ? [{ kind: "team", team }] : [];
    }),
    ...(access.projectIds.includes(projectId) ? [{ kind: "given" } as const] : []),
  ];
}

/** Whether the member sees every project, also those that come later. */
export function seesEverything({ role, teams }: Access): boolean {
  return seesEveryProject(role) || teams.some(({ hasAllProjects }) => hasAllProjects);
}

/** The projects that the member sees. `all`: the ids of every project. */
export function listSeenProjects(access: Access, all: readonly number[]): number[] {
  if (seesEverything(access)) return [...all];
  return all.filter((projectId) => findPaths(access, projectId).length > 0);
}

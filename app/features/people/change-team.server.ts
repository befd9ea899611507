import type { Workspace } from "../../access/workspace.ts";
import type { Rota } from "../../domain/people/rota.ts";
import type { Team } from "../../domain/people/team.ts";
import { hasRight } from "../../domain/scope.ts";
import { type IdsChange, MAX_TEAMS, type TeamResult } from "../../stores/state/member-store.ts";
import { toSlug } from "../projects/project-slug.ts";

export type ChangeTeamResult =
  | { ok: true; team: Team }
  | { ok: false; status: 400 | 403 | 404 | 409; field: "name" | "slug" | null; message: string };

export interface TeamChange {
  name?: string;
  slug?: string;
  hasAllProjects?: boolean;
  memberIds?: IdsChange;
  projectIds?: IdsChange;
  /** Makes the new rota from the present one. */
  rota?: (before: Rota | null) => Rota | null;
}

export const TEAM_NAME_MAX_LENGTH = 64;

/** Makes a team. A person who may change only their own teams becomes a member of it. */
export async function createTeam(
  workspace: Workspace,
  { name, slug = toSlug(name), now }: { name: string; slug?: string | null; now: number },
): Promise<ChangeTeamResult> {
  const { state, scope, user } = workspace;
  if (slug === null) return refuse(400, "slug", "The name has no letter to make a slug of: write one.");
  const memberId = hasRight(scope, "team:admin") ? null : (user?.id ?? null);
  return toAnswer(await state.members.createTeam(scope, { name, slug, memberId, at: now }), slug);
}

/** Changes the given values of a team that the workspace may change. */
export async function changeTeam(workspace: Workspace, team: Team, change: TeamChange): Promise<ChangeTeamResult> {
  const { state, scope, user } = workspace;
  if (!mayChangeTeam(workspace, team)) return refuse(403, null, NOT_YOURS);
  if (
    change.hasAllProjects !== undefined &&
    change.hasAllProjects !== team.hasAllProjects &&
    !hasRight(scope, "team:admin")
  )
    return refuse(403, null, "Only owners and managers decide whether a team has every project.");
  const changed = await state.members.changeTeam(scope, { teamId: team.id, userId: user?.id ?? null, ...change });
  return toAnswer(changed, change.slug ?? team.slug);
}

export async function deleteTeam(workspace: Workspace, team: Team, now: number): Promise<ChangeTeamResult> {
  const { state, scope, user } = workspace;
  if (!mayChangeTeam(workspace, team)) return refuse(403, null, NOT_YOURS);
  return (await state.members.deleteTeam(scope, { teamId: team.id, userId: user?.id ?? null, at: now }))
    ? { ok: true, team }
    : toAnswer(GONE, team.slug);
}

/** Whether the workspace may change a team. Managers and owners may change every team, admins those that they belong to. */
export function mayChangeTeam({ scope, user }: Workspace, team: Team): boolean {
  return (
    hasRight(scope, "team:admin") ||
    (hasRight(scope, "team:write") && user !== null && team.memberIds.includes(user.id))
  );
}

const NOT_YOURS = "You can change teams that you are in. Owners and managers change every team.";
const GONE = { ok: false, reason: "not-found" } as const;

function toAnswer(result: TeamResult, slug: string): ChangeTeamResult {
  if (result.ok) return result;
  switch (result.reason) {
    case "not-found":
      return refuse(404, null, "This team does not exist any more.");
    case "slug-taken":
      return refuse(409, "slug", `There is a team with the slug “${slug}” already.`);
    case "too-many":
      return refuse(409, null, `There are ${MAX_TEAMS} teams, which is the limit.`);
  }
}

function refuse(
  status: 400 | 403 | 404 | 409,
  field: "name" | "slug" | null,
  message: string,
): ChangeTeamResult & { ok: false } {
  return { ok: false, status, field, message };
}

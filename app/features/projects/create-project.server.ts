import type { Workspace } from "../../access/workspace.ts";
import { MAX_RULES } from "../../domain/alerts/alert-rule.ts";
import { draftFirstRule, tellsEveryProject } from "../../domain/alerts/first-rule.ts";
import type { Project } from "../../domain/project.ts";
import { hasRight } from "../../domain/scope.ts";
import { sayTaken } from "./project-form.ts";

type CreateProjectResult =
  | { ok: true; project: Project }
  | { ok: false; field: "slug" | "team"; status: 400 | 409; message: string };

/**
 * Makes a project with one key. It also gets the alert rule of a first project, unless a rule of all projects already notifies
 * about its new issues. If a team is named, that team sees the project. Otherwise its creator does, unless they see every project
 * anyway.
 */
export async function createProject(
  workspace: Workspace,
  { teamSlug, ...project }: { slug: string; name: string; platform: string; teamSlug: string | null; at: number },
): Promise<CreateProjectResult> {
  const { state, user, seesEverything } = workspace;
  const team = teamSlug === null ? null : (await listOwnTeams(workspace)).find(({ slug }) => slug === teamSlug);
  if (team === undefined)
    return { ok: false, field: "team", status: 400, message: `There is no team “${teamSlug}” that you can choose.` };
  const seenBy = team ? { teamId: team.id } : user && !seesEverything ? { userId: user.id } : null;
  const rules = await state.alerts.listRules(workspace.scope, project.at);
  const draftRule = rules.length >= MAX_RULES || tellsEveryProject(rules) ? null : draftFirstRule;
  const created = await state.projects.createProject({ ...project, seenBy, draftRule });
  if (!created.ok) return { ok: false, field: "slug", status: 409, message: sayTaken(project.slug) };
  await workspace.reloadKeys();
  return created;
}

/** The teams that a person may give a project to: all teams, or those that they belong to. Sorted by name. */
export async function listOwnTeams({
  state,
  scope,
  user,
}: Workspace): Promise<Array<{ id: number; slug: string; name: string }>> {
  const teams = await state.members.listTeams(scope);
  const own = hasRight(scope, "team:admin")
    ? teams
    : teams.filter(({ memberIds }) => user && memberIds.includes(user.id));
  return own.map(({ id, slug, name }) => ({ id, slug, name }));
}

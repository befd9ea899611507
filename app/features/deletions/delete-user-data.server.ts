import type { Workspace } from "../../access/workspace.ts";
import type { NamedUser } from "../../domain/named-user.ts";
import { narrowScope, type Scope } from "../../domain/scope.ts";

/** What would be deleted of a user, by project, those with most first. */
export interface UserDataPreview {
  projects: Array<{ slug: string; events: number; items: number }>;
  /** False: not everything was looked through in the time that somebody waits. The deletion looks at the rest. */
  isWhole: boolean;
  readRows: number;
  totalRows: number;
}

/** Null: too many others ask at the same time. */
export async function previewUserData(
  workspace: Workspace,
  { user, scope = workspace.scope }: { user: NamedUser; scope?: Scope },
): Promise<UserDataPreview | null> {
  await workspace.whenAllStored();
  const found = await workspace.findUserData(user, scope.projectIds);
  if (found === null) return null;
  const projects = await workspace.state.projects.listProjects(scope);
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
  return {
    projects: found.projects
      .flatMap(({ projectId, events, items }) => {
        const slug = slugs.get(projectId);
        return slug === undefined || events + items === 0 ? [] : [{ slug, events, items }];
      })
      .sort((a, b) => b.events - a.events || b.items - a.items),
    isWhole: found.readRows >= found.totalRows,
    readRows: found.readRows,
    totalRows: found.totalRows,
  };
}

/**
 * Deletes everything that a user has sent until now to the projects of the scope. What names the user in its row is gone from every page
 * when it resolves; a job looks through the rest, and payload files follow within a day. Gives the id of the deletion; null: there is no
 * project.
 */
export async function deleteUserData(
  workspace: Workspace,
  { user, scope = workspace.scope, now }: { user: NamedUser; scope?: Scope; now: number },
): Promise<number | null> {
  const { projectIds } = scope;
  const [first] = projectIds;
  if (first === undefined) return null;
  const only = projectIds.length === 1 ? await workspace.state.projects.getProject(scope, first) : null;
  const label = only?.slug ?? `${projectIds.length} projects`;
  const userId = workspace.user?.id ?? null;
  const id = await workspace.state.deletions.deleteUser(scope, { user, label, userId, at: now });
  await workspace.hideDeleted();
  return id;
}

/** The scope of one project, by its slug, or of all that somebody may see. Null: there is no such project. */
export async function findUserDataScope(workspace: Workspace, slug: string): Promise<Scope | null> {
  if (slug === "") return workspace.scope;
  const project = await workspace.state.projects.getProjectBySlug(workspace.scope, slug);
  return project && narrowScope(workspace.scope, [project.id]);
}

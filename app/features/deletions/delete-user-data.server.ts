import type { Workspace } from "../../access/workspace.ts";
import type { NamedUser } from "../../domain/named-user.ts";
import { narrowScope, type Scope } from "../../domain/scope.ts";

/** What would be deleted of a user, by project. Projects with most data come first. */
export interface UserDataPreview {
  projects: Array<{ slug: string; events: number; items: number }>;
  /** False: not everything was searched, because a person waits. The deletion searches the rest. */
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
 * Deletes everything that a user has sent to the projects of the scope until now. When it resolves, all rows that name the user themselves
 * are gone from every page. A job searches the rest, and payload files follow within a day. Returns the id of the deletion. Null: there is
 * no project.
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

/** The scope of the project with this slug. If the slug is empty: of all projects that the person sees. Null: the project does not exist. */
export async function findUserDataScope(workspace: Workspace, slug: string): Promise<Scope | null> {
  if (slug === "") return workspace.scope;
  const project = await workspace.state.projects.getProjectBySlug(workspace.scope, slug);
  return project && narrowScope(workspace.scope, [project.id]);
}

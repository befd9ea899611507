import type { Workspace } from "../../access/workspace.ts";
import { BUILT_IN_SLUG, type Project } from "../../domain/project.ts";
import { hasRight, narrowScope } from "../../domain/scope.ts";
import { deleteArtifactBundle } from "../source-maps/change-uploads.server.ts";

export type DeleteProjectResult = { ok: true } | { ok: false; status: 403 | 404 | 409; message: string };

/**
 * Deletes a project with its keys, issues, events and uploads. When it resolves, the project is gone from every page, and its DSN
 * is treated as unknown; payload files are removed within a day. Only owners may do this, and not for the server's own project.
 */
export async function deleteProject(
  workspace: Workspace,
  { project, now }: { project: Project; now: number },
): Promise<DeleteProjectResult> {
  const { state, scope, user } = workspace;
  // A token of the organization is no person. Only owners can give it this scope.
  const isOwner = user === null ? hasRight(scope, "org:admin") : user.role === "owner";
  if (!isOwner)
    return {
      ok: false,
      status: 403,
      message: "Only an owner of the organization can delete a project, or a token of the organization with org:admin.",
    };
  if (project.slug === BUILT_IN_SLUG)
    return { ok: false, status: 409, message: "Culprit reports to this project itself. It cannot be deleted." };
  const request = { projectId: project.id, userId: user?.id ?? null, at: now };
  await deleteUploads(workspace, narrowScope(scope, [project.id]));
  if (!(await state.deletions.deleteProject(scope, request)))
    return { ok: false, status: 404, message: "This project does not exist any more." };
  await workspace.reloadKeys();
  await workspace.hideDeleted();
  return { ok: true };
}

/** Deletes uploads of this project only. Uploads of several projects stay with the others. */
async function deleteUploads(workspace: Workspace, scope: Workspace["scope"]): Promise<void> {
  for (;;) {
    const { bundles } = await workspace.state.artifacts.listArtifactBundles(scope, { cursor: null, limit: 100 });
    if (bundles.length === 0) return;
    for (const { id } of bundles) await deleteArtifactBundle(workspace, scope, id);
  }
}

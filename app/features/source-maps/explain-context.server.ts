import type { Workspace } from "../../access/workspace.ts";
import type { ExplainContext } from "../../symbolicate/upload-command.ts";

/** Values for the commands of a project. `url`: the address of the request, used unless PUBLIC_URL is set. */
export async function toExplainContext(
  { state, scope, organization, settings }: Workspace,
  { projectId, url }: { projectId: number; url: URL },
): Promise<ExplainContext> {
  const project = await state.projects.getProject(scope, projectId);
  return {
    serverUrl: settings.publicUrl ?? url.origin,
    org: organization.slug,
    project: project?.slug ?? String(projectId),
  };
}

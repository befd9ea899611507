import type { Workspace } from "../../access/workspace.ts";
import type { ExplainContext } from "../../symbolicate/upload-command.ts";

/** What the commands of a project need. `url`: where they were asked for, unless the server has an address of its own. */
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

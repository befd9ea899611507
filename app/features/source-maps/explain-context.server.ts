import type { Engine } from "../../engine/engine.ts";
import type { ExplainContext } from "../../symbolicate/upload-command.ts";

/** What the commands of a project need. `url`: where they were asked for, unless the server has an address of its own. */
export async function toExplainContext(
  { state, settings }: Pick<Engine, "state" | "settings">,
  { projectId, url }: { projectId: number; url: URL },
): Promise<ExplainContext> {
  const [organization, project] = await Promise.all([
    state.people.getOrganization(),
    state.projects.getProject(projectId),
  ]);
  return {
    serverUrl: settings.publicUrl ?? url.origin,
    org: organization?.slug ?? "default",
    project: project?.slug ?? String(projectId),
  };
}

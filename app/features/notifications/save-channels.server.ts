import type { Workspace } from "../../access/workspace.ts";
import { servesProject } from "../../domain/channels/channel.ts";
import type { Project } from "../../domain/project.ts";
import { keepTargets } from "./keep-targets.server.ts";
import type { NotificationResult } from "./notification-result.ts";

/** Saves which channels of the organization a project uses. */
export async function saveChannels(
  workspace: Workspace,
  { project, form, now }: { project: Project; form: FormData; now: number },
): Promise<NotificationResult> {
  const { state, scope } = workspace;
  const chosen = form.getAll("channel").map(Number);
  const offered = (await state.channels.listChannels(scope)).filter((channel) => servesProject(channel, project.id));
  const channelIds = offered.flatMap(({ id }) => (chosen.includes(id) ? [id] : []));
  if (channelIds.length < new Set(chosen).size)
    return { ok: false, status: 404, field: "channels", message: "One of these channels does not serve the project." };
  const settings = await state.notifications.getNotificationSettings(scope, project.id);
  await keepTargets(workspace, { project, settings: { ...settings, channelIds }, now });
  return { ok: true, message: "Channels saved." };
}

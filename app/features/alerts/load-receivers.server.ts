import type { Workspace } from "../../access/workspace.ts";
import type { Scope } from "../../domain/scope.ts";
import type { Receivers } from "../../notifications/list-rule-targets.ts";

/** Who there is to be told of a project. */
export async function loadReceivers(
  { state, notifications }: Workspace,
  scope: Scope,
  projectId: number,
): Promise<Receivers> {
  const [members, teams, channels, settings, ownerEmail] = await Promise.all([
    state.members.listMembers(scope),
    state.members.listTeams(scope),
    state.channels.listChannels(scope),
    state.notifications.getNotificationSettings(scope, projectId),
    notifications.findOwnerEmail(),
  ]);
  const isMailSetUp = notifications.mailFrom !== null;
  return { projectId, members, teams, channels, settings, ownerEmail, isMailSetUp };
}

export function nameTarget(
  { channel, address }: { channel: string; address: string },
  { members, channels }: Pick<Receivers, "members" | "channels">,
): string {
  if (channel === "person") return members.find(({ userId }) => String(userId) === address)?.name ?? "somebody";
  if (channel === "channel") return channels.find(({ id }) => String(id) === address)?.name ?? "a channel that is gone";
  return address;
}

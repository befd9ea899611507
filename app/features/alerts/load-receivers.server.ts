import type { Workspace } from "../../access/workspace.ts";
import type { Scope } from "../../domain/scope.ts";
import { findPerson } from "../../notifications/list-person-targets.ts";
import type { Receivers } from "../../notifications/list-rule-targets.ts";
import type { DeliveryTarget } from "../../stores/state/delivery-store.ts";

/** Who there is to be told of a project. */
export async function loadReceivers(
  { state, notifications }: Workspace,
  scope: Scope,
  projectId: number,
): Promise<Receivers> {
  const [members, teams, channels, settings, ownerEmail, reach] = await Promise.all([
    state.members.listMembers(scope),
    state.members.listTeams(scope),
    state.channels.listChannels(scope),
    state.notifications.getNotificationSettings(scope, projectId),
    notifications.findOwnerEmail(),
    state.push.listReach(),
  ]);
  const isMailSetUp = notifications.mailFrom !== null;
  return { projectId, members, teams, channels, settings, ownerEmail, reach, isMailSetUp };
}

export function nameTarget(
  target: Pick<DeliveryTarget, "channel" | "address">,
  { members, channels }: Pick<Receivers, "members" | "channels">,
): string {
  const { channel, address } = target;
  const person = findPerson(target);
  if (person !== null) {
    const name = members.find(({ userId }) => userId === person)?.name ?? "somebody";
    return channel === "push" ? `${name} (browser)` : name;
  }
  if (channel === "channel") return channels.find(({ id }) => String(id) === address)?.name ?? "a channel that is gone";
  return address;
}

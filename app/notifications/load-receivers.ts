import type { Scope } from "../domain/scope.ts";
import type { ScopedState } from "../stores/state/state.ts";
import type { Receivers } from "./list-rule-targets.ts";

export interface ReceiverParts {
  state: Pick<ScopedState, "members" | "channels" | "notifications" | "push">;
  findOwnerEmail(): Promise<string | null>;
  isMailSetUp: boolean;
}

/** Reads everybody who may be told about a project. */
export async function loadReceivers(
  { state, findOwnerEmail, isMailSetUp }: ReceiverParts,
  scope: Scope,
  projectId: number,
): Promise<Receivers> {
  const [members, teams, channels, settings, ownerEmail, reach] = await Promise.all([
    state.members.listMembers(scope),
    state.members.listTeams(scope),
    state.channels.listChannels(scope),
    state.notifications.getNotificationSettings(scope, projectId),
    findOwnerEmail(),
    state.push.listReach(),
  ]);
  return { projectId, members, teams, channels, settings, ownerEmail, reach, isMailSetUp };
}

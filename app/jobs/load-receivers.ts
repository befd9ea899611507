import { scopeOfServer } from "../access/server-scope.ts";
import type { Receivers } from "../notifications/list-rule-targets.ts";
import type { State } from "../stores/state/state.ts";

export interface ReceiverParts {
  state: Pick<State, "members" | "channels" | "notifications" | "people" | "push">;
  isMailSetUp: boolean;
}

/** Who there is to be told of a project. */
export async function loadReceivers({ state, isMailSetUp }: ReceiverParts, projectId: number): Promise<Receivers> {
  const scope = scopeOfServer([projectId]);
  const [members, teams, channels, settings, owner, reach] = await Promise.all([
    state.members.listMembers(scope),
    state.members.listTeams(scope),
    state.channels.listChannels(scope),
    state.notifications.getNotificationSettings(scope, projectId),
    state.people.getOwner(),
    state.push.listReach(),
  ]);
  return { projectId, members, teams, channels, settings, ownerEmail: owner?.email ?? null, reach, isMailSetUp };
}

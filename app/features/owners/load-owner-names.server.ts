import type { Workspace } from "../../access/workspace.ts";
import { createOwnerNames, type NameOwner } from "../../domain/ownership/owners.ts";
import { MAX_MEMBERS } from "../../stores/state/member-store.ts";

/** Who the owners in the rules of a project are. */
export async function loadOwnerNames(
  { state, scope }: Pick<Workspace, "state" | "scope">,
  projectId: number,
): Promise<NameOwner> {
  const [assignees, members, teams] = await Promise.all([
    state.triage.listAssignees(scope, { projectId, limit: MAX_MEMBERS }),
    state.members.listMembers(scope),
    state.members.listTeams(scope),
  ]);
  return createOwnerNames({ assignees, members, teams });
}

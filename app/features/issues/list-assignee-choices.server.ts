import type { Workspace } from "../../access/workspace.ts";
import type { Assignee } from "../../domain/issues/triage.ts";
import { hasRight } from "../../domain/scope.ts";

/** The highest number of members, and of teams. Others are found by name or address. */
const MAX_CHOICES = 50;

/**
 * Possible assignees in the project, or in any project that the reader sees (null). The reader comes first. Empty without the right
 * to assign.
 */
export async function listAssigneeChoices(
  { state, scope, user }: Pick<Workspace, "state" | "scope" | "user">,
  projectId: number | null,
): Promise<Assignee[]> {
  if (!hasRight(scope, "event:write")) return [];
  const choices = await state.triage.listAssignees(scope, { projectId, limit: MAX_CHOICES });
  const isReader = ({ kind, id }: Assignee) => kind === "user" && id === user?.id;
  return [...choices.filter(isReader), ...choices.filter((choice) => !isReader(choice))];
}

import type { Workspace } from "../../access/workspace.ts";
import type { AlertAction } from "../../domain/alerts/alert-rule.ts";
import type { AssigneeRef } from "../../domain/issues/triage.ts";

/** The owners of issues by ownership rules, as found when each issue was last checked. Empty if no action needs them. */
export async function findRuleOwners(
  { state, scope }: Workspace,
  { actions, issueIds }: { actions: readonly AlertAction[]; issueIds: readonly number[] },
): Promise<ReadonlyMap<number, AssigneeRef>> {
  if (!actions.some(({ kind }) => kind === "owners")) return new Map();
  const owners = new Map<number, AssigneeRef>();
  for (const [issueId, suggested] of await state.suggestions.listSuggestions(scope, issueIds)) {
    const owner = suggested.find(({ reasons }) => reasons[0].kind === "rule")?.assignee;
    if (owner) owners.set(issueId, { kind: owner.kind, id: owner.id });
  }
  return owners;
}

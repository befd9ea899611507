import type { Workspace } from "../../access/workspace.ts";
import type { AlertAction } from "../../domain/alerts/alert-rule.ts";
import type { AssigneeRef } from "../../domain/issues/triage.ts";

/** Who owns issues by rule, as was found when each was looked at last. Nobody is asked where no action needs it. */
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

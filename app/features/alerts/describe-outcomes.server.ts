import type { Workspace } from "../../access/workspace.ts";
import type { AlertOutcome } from "../../domain/alerts/outcome.ts";
import { nameTarget } from "./name-target.ts";

/** An entry of the history with names instead of ids. */
export interface OutcomeItem extends Omit<AlertOutcome, "targets" | "ruleId" | "issueId" | "projectId"> {
  rule: { id: number; name: string } | null;
  /** Null: the issue is gone, or the rule failed before it reached one. */
  issue: { id: number; shortId: string; title: string } | null;
  /** For `fired`: the names of those who were notified. */
  told: string[];
}

export async function describeOutcomes(
  { state, scope }: Workspace,
  outcomes: readonly AlertOutcome[],
): Promise<OutcomeItem[]> {
  const issues = await state.issues.getIssues(scope, [...new Set(outcomes.map(({ issueId }) => issueId))]);
  const byId = new Map(issues.map(({ id, shortId, title }) => [id, { id, shortId, title }]));
  const rules = new Map<number, OutcomeItem["rule"]>();
  for (const ruleId of new Set(outcomes.map((each) => each.ruleId))) {
    const rule = await state.alerts.getRule(scope, ruleId);
    rules.set(ruleId, rule && { id: rule.id, name: rule.name });
  }
  const isTold = outcomes.some(({ targets }) => targets.length > 0);
  const [members, channels] = isTold
    ? await Promise.all([state.members.listMembers(scope), state.channels.listChannels(scope)])
    : [[], []];
  return outcomes.map(({ targets, ruleId, issueId, projectId: _, ...outcome }) => ({
    ...outcome,
    rule: rules.get(ruleId) ?? null,
    issue: byId.get(issueId) ?? null,
    told: targets.map((target) => nameTarget(target, { members, channels })),
  }));
}

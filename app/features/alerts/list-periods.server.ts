import type { Workspace } from "../../access/workspace.ts";
import { maySeeRule } from "../../domain/alerts/alert-rule.ts";
import type { AlertPeriod } from "../../domain/alerts/escalation.ts";
import { sayActions } from "../../domain/alerts/say-rule.ts";
import { loadRuleNames } from "./load-rule-names.server.ts";
import { nameTarget } from "./name-target.ts";
import { toRuleNames } from "./rule-names.ts";

/** A period with names instead of ids. */
export interface PeriodItem extends Omit<AlertPeriod, "told" | "issueId" | "projectId" | "eventId" | "release"> {
  ruleName: string;
  /** Null: the issue is gone. */
  issue: { id: number; shortId: string; title: string } | null;
  /** The messages that were sent, the first one first. `step` null: the first message. Otherwise the index of the step, from 0. */
  told: Array<{ step: number | null; at: number; to: string[] }>;
  /** The next step, with receivers in words like `#payments and Ada`. Null: there is none. */
  next: { at: number; to: string } | null;
}

const MAX_LISTED = 50;

/** The open periods of an issue, or all periods of a rule, the open ones first. */
export async function listPeriodItems(
  workspace: Pick<Workspace, "state" | "scope">,
  of: { ruleId: number } | { issueId: number; isOpen: true },
): Promise<PeriodItem[]> {
  const { state, scope } = workspace;
  const periods = await state.alertPeriods.listPeriods(scope, { ...of, limit: MAX_LISTED });
  if (periods.length === 0) return [];
  const [members, table, issues] = await Promise.all([
    state.members.listMembers(scope),
    loadRuleNames(workspace),
    state.issues.getIssues(scope, [...new Set(periods.map(({ issueId }) => issueId))]),
  ]);
  const { channels } = table;
  const names = toRuleNames(table);
  const items: PeriodItem[] = [];
  for (const { issueId, projectId: _, eventId: __, release: ___, told, ...period } of periods) {
    const rule = await state.alerts.getRule(scope, period.ruleId);
    if (rule === null || !maySeeRule(scope, rule)) continue;
    const issue = issues.find(({ id }) => id === issueId);
    const step = rule.steps[period.nextStep];
    items.push({
      ...period,
      ruleName: rule.name,
      issue: issue ? { id: issue.id, shortId: issue.shortId, title: issue.title } : null,
      told: told.map(({ step: number, at, targets }) => ({
        step: number,
        at,
        to: targets.map((target) => nameTarget(target, { members, channels })),
      })),
      next: step && period.nextAt !== null ? { at: period.nextAt, to: sayActions(step.actions, names) } : null,
    });
  }
  return items;
}

import type { Workspace } from "../../access/workspace.ts";
import {
  type AlertAction,
  type AlertRule,
  type AlertRuleDraft,
  MAX_RULES,
  mayManageRule,
} from "../../domain/alerts/alert-rule.ts";
import { readRuleDraft, type TypedRuleDraft } from "../../domain/alerts/read-rule-draft.ts";
import { findPlaceProblem } from "../../domain/channels/channel-place.ts";
import { includesProject } from "../../domain/scope.ts";
import { type AlertResult, CHANGED_MEANWHILE, HIDDEN_TEAM, MAY_NOT_MANAGE, RULE_GONE } from "./alert-result.ts";
import { findUselessChannel, loadRuleNames } from "./load-rule-names.server.ts";
import { toRuleNames } from "./rule-names.ts";

type Refused = Extract<AlertResult, { ok: false }>;

/** Checks a draft: its own values, and whether its people, teams, channels and projects exist. */
export async function checkRuleDraft(
  workspace: Workspace,
  typed: TypedRuleDraft,
  now: number,
): Promise<{ ok: true; draft: AlertRuleDraft } | Refused> {
  const read = readRuleDraft(typed, now);
  if (!read.ok) return { ...read, status: 400 };
  const covered = await coverTeam(workspace, read.draft);
  if (covered === null) return { ok: false, status: 400, field: "projects", message: "There is no such team." };
  const draft = covered;
  if (draft.projectIds?.length === 0)
    return { ok: false, status: 400, field: "projects", message: "This team has no projects." };
  if (draft.projectIds?.some((id) => !includesProject(workspace.scope, id)))
    return { ok: false, status: 400, field: "projects", message: "One of these projects does not exist." };
  const table = await loadRuleNames(workspace);
  const names = toRuleNames(table);
  const problemOf = (actions: readonly AlertAction[]) => {
    for (const [index, action] of actions.entries())
      if ("id" in action && names.receiver(action) === null)
        return { index, message: `There is no such ${action.kind === "on-call" ? "team" : action.kind}.` };
    for (const [index, action] of actions.entries()) {
      const kind = action.kind === "channel" && table.channels.find(({ id }) => id === action.id)?.kind;
      if (!kind || !action.place) continue;
      const wrong = findPlaceProblem(kind, action.place);
      if (wrong !== null) return { index, message: wrong };
    }
    const channelIds = actions.flatMap((action) => (action.kind === "channel" ? [action.id] : []));
    const useless = findUselessChannel(table, channelIds, draft.projectIds);
    return useless === null ? null : { message: `The channel ${useless} serves none of these projects.` };
  };
  const problem = problemOf(draft.actions);
  if (problem !== null) return { ok: false, status: 400, field: "actions", ...problem };
  for (const [index, { actions }] of draft.steps.entries()) {
    const ofStep = problemOf(actions);
    if (ofStep !== null)
      return { ok: false, status: 400, field: "steps", index, message: `Step ${index + 1}: ${ofStep.message}` };
  }
  return { ok: true, draft };
}

/** The draft with the present projects of its team. Null: there is no such team. */
async function coverTeam({ state, scope }: Workspace, draft: AlertRuleDraft): Promise<AlertRuleDraft | null> {
  if (!draft.teamId) return draft;
  const team = (await state.members.listTeams(scope)).find(({ id }) => id === draft.teamId);
  return team === undefined ? null : { ...draft, projectIds: team.hasAllProjects ? null : team.projectIds };
}

export async function createAlertRule(workspace: Workspace, typed: TypedRuleDraft, now: number): Promise<AlertResult> {
  const checked = await checkRuleDraft(workspace, typed, now);
  if (!checked.ok) return checked;
  const { state, scope } = workspace;
  if (!mayManageRule(scope, checked.draft)) return MAY_NOT_MANAGE;
  const created = await state.alerts.createRule(scope, checked.draft, now);
  if (!created.ok && created.reason === "hidden") return HIDDEN_TEAM;
  if (!created.ok)
    return {
      ok: false,
      status: 409,
      field: "list",
      message: `There are ${MAX_RULES} rules, which is the limit. Delete some first.`,
    };
  return { ok: true, message: `${created.rule.name} saved.`, ruleId: created.rule.id };
}

export async function changeAlertRule(
  workspace: Workspace,
  rule: AlertRule,
  typed: TypedRuleDraft,
  now: number,
  /** When the rule was last changed according to the form. Null: the form does not say. */
  known: number | null = null,
): Promise<AlertResult> {
  const { state, scope } = workspace;
  if (!mayManageRule(scope, rule)) return MAY_NOT_MANAGE;
  const checked = await checkRuleDraft(workspace, typed, now);
  if (!checked.ok) return checked;
  if (!mayManageRule(scope, checked.draft)) return MAY_NOT_MANAGE;
  const changed = await state.alerts.changeRule(scope, rule.id, checked.draft, now, known);
  if (!changed.ok && changed.reason === "hidden") return HIDDEN_TEAM;
  if (!changed.ok && changed.reason === "changed-meanwhile") return CHANGED_MEANWHILE;
  return changed.ok ? { ok: true, message: `${changed.rule.name} saved.`, ruleId: rule.id } : RULE_GONE;
}

export async function enableAlertRule(
  workspace: Workspace,
  rule: AlertRule,
  { isEnabled, now }: { isEnabled: boolean; now: number },
): Promise<AlertResult> {
  const { state, scope } = workspace;
  if (!mayManageRule(scope, rule)) return MAY_NOT_MANAGE;
  const changed = await state.alerts.changeRule(scope, rule.id, { isEnabled }, now);
  return changed.ok
    ? { ok: true, message: `${rule.name} ${isEnabled ? "enabled" : "disabled"}.`, ruleId: rule.id }
    : RULE_GONE;
}

export async function deleteAlertRule(workspace: Workspace, rule: AlertRule): Promise<AlertResult> {
  const { state, scope } = workspace;
  if (!mayManageRule(scope, rule)) return MAY_NOT_MANAGE;
  return (await state.alerts.deleteRule(scope, rule.id))
    ? { ok: true, message: `${rule.name} deleted.`, ruleId: rule.id }
    : RULE_GONE;
}

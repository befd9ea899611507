import type { Workspace } from "../../access/workspace.ts";
import { type AlertRule, type AlertRuleDraft, MAX_RULE_NAME, mayManageRule } from "../../domain/alerts/alert-rule.ts";
import type { AlertOutcomeKind } from "../../domain/alerts/outcome.ts";
import { printCondition } from "../../domain/alerts/rule-conditions.ts";
import { RULE_TEMPLATES } from "../../domain/alerts/rule-templates.ts";
import { readMonitorRef, toMonitorSearch } from "../../domain/findings/monitor-tags.ts";
import { withOwnLast } from "../../domain/project.ts";
import { hasRight, includesProject } from "../../domain/scope.ts";
import { type ActiveSilence, listActiveSilences } from "../silences/list-silences.server.ts";
import { describeOutcomes, type OutcomeItem } from "./describe-outcomes.server.ts";
import { listPeriodItems, type PeriodItem } from "./list-periods.server.ts";
import { loadRuleNames, type RuleNameTable } from "./load-rule-names.server.ts";

/** One firing of the rule, with its issue. */
export interface FiringItem {
  id: number;
  at: number;
  endedAt: number | null;
  trigger: string;
  peak: number | null;
  targetCount: number;
  issue: { id: number; shortId: string; title: string } | null;
}

export interface AlertPage {
  names: RuleNameTable;
  /** Null: the rule is new. */
  rule: AlertRule | null;
  draft: AlertRuleDraft;
  firings: FiringItem[];
  /** Periods that wait for an answer or got one. Empty for a rule without steps. */
  periods: PeriodItem[];
  /** What the rule decided, newest first. At most 50. */
  history: OutcomeItem[];
  /** The only kind of outcome in the history. Null: all kinds. */
  shown: AlertOutcomeKind | null;
  mayChange: boolean;
  mayChooseAll: boolean;
  /** The number of the rule's projects that the viewer does not see. */
  hiddenProjects: number;
  isMailSetUp: boolean;
  /** Silences in force now that affect the rule. */
  silences: ActiveSilence[];
}

const MAX_LISTED = 50;

/** Null: there is no such rule. `ruleId` null: the page of a new rule for these projects. */
export async function getAlertPage(
  workspace: Workspace,
  {
    ruleId,
    projectSlug,
    template = null,
    monitor = null,
    monitorName = "",
    shown,
    now,
  }: {
    ruleId: number | null;
    projectSlug: string | null;
    template?: string | null;
    /** For a new rule: the monitor whose issues it is about, as `cron:12`, and the monitor's name. */
    monitor?: string | null;
    monitorName?: string;
    shown: AlertOutcomeKind | null;
    now: number;
  },
): Promise<AlertPage | null> {
  const { state, scope, notifications } = workspace;
  const rule = ruleId === null ? null : await state.alerts.getRule(scope, ruleId);
  if (ruleId !== null && rule === null) return null;
  const names = await loadRuleNames(workspace);
  const firings = rule ? await state.alerts.listFirings(scope, { ruleId: rule.id, limit: MAX_LISTED }) : [];
  const outcomes = rule
    ? await state.alerts.listOutcomes(scope, { ruleId: rule.id, outcome: shown, limit: MAX_LISTED })
    : [];
  const issues = await state.issues.getIssues(scope, [...new Set(firings.map(({ issueId }) => issueId))]);
  const byId = new Map(issues.map(({ id, shortId, title }) => [id, { id, shortId, title }]));
  const chosen = names.projects.find(({ slug }) => slug === projectSlug) ?? withOwnLast(names.projects)[0];
  const draft: AlertRuleDraft = rule ?? {
    name: "",
    projectIds: chosen ? [chosen.id] : [],
    triggers: [{ kind: "new" }, { kind: "regressed" }],
    match: "all",
    conditions: [],
    actions: [{ kind: "members" }],
    steps: [],
    frequencyMinutes: 30,
    isEnabled: true,
    ...(rule === null && readTemplate(template)),
    ...(rule === null && toMonitorDraft(monitor, monitorName)),
  };
  return {
    names,
    rule,
    draft,
    firings: firings.map(({ issueId, ruleId: _, projectId: __, ...firing }) => ({
      ...firing,
      issue: byId.get(issueId) ?? null,
    })),
    periods: rule ? await listPeriodItems(workspace, { ruleId: rule.id }) : [],
    history: await describeOutcomes(workspace, outcomes),
    shown,
    mayChange: rule ? mayManageRule(scope, rule) : hasRight(scope, "project:write"),
    mayChooseAll: hasRight(scope, "org:write"),
    hiddenProjects: rule?.projectIds?.filter((id) => !includesProject(scope, id)).length ?? 0,
    silences: rule ? await listActiveSilences(workspace, { rule }, now) : [],
    isMailSetUp: notifications.mailFrom !== null,
  };
}

function toMonitorDraft(word: string | null, name: string): Partial<AlertRuleDraft> {
  const monitor = word === null ? null : readMonitorRef(word);
  if (monitor === null) return {};
  const triggers = [{ kind: "new" }, { kind: "regressed" }, { kind: "resolved" }] as const;
  return {
    name: name.slice(0, MAX_RULE_NAME),
    triggers,
    conditions: [printCondition(toMonitorSearch(monitor))],
    frequencyMinutes: 0,
  };
}

function readTemplate(template: string | null): Partial<AlertRuleDraft> {
  const { name, draft } = RULE_TEMPLATES.find(({ id }) => id === template) ?? {};
  return name === undefined ? {} : { name, ...draft };
}

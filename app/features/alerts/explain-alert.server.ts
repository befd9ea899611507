import type { Workspace } from "../../access/workspace.ts";
import { type AlertRule, coversProject, isCountTrigger } from "../../domain/alerts/alert-rule.ts";
import { findMisfit } from "../../domain/alerts/rule-conditions.ts";
import { type SaidPart, sayMinutes, sayRule } from "../../domain/alerts/say-rule.ts";
import { findSilence } from "../../domain/alerts/silence.ts";
import type { Issue } from "../../domain/issue.ts";
import { narrowScope } from "../../domain/scope.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { findPerson } from "../../notifications/list-person-targets.ts";
import { listRuleTargets } from "../../notifications/list-rule-targets.ts";
import { loadReceivers } from "../../notifications/load-receivers.ts";
import { toSearchedEvent } from "../../stores/events/searched-event.ts";
import { toSearchedIssue } from "../../stores/state/issue-store.ts";
import { findIssue } from "../issues/get-issue-page.server.ts";
import { describeOutcomes, type OutcomeItem } from "./describe-outcomes.server.ts";
import { findRuleOwners } from "./find-rule-owners.server.ts";
import { loadRuleNames } from "./load-rule-names.server.ts";
import { nameTarget } from "./name-target.ts";
import { toRuleNames } from "./rule-names.ts";

export interface WhyPage {
  /** The value of the form's field. */
  issueText: string;
  ruleId: number | null;
  rules: Array<{ id: number; name: string }>;
  /** Null: no issue was requested, or it does not exist. */
  issue: { id: number; shortId: string; title: string } | null;
  /** Answers of the rules for the issue's project, or of the requested rule. */
  answers: WhyAnswer[];
  /** The number of further rules of the project without an answer here. */
  leftOut: number;
}

export interface WhyAnswer {
  rule: { id: number; name: string; isEnabled: boolean };
  sentence: SaidPart[];
  /** The present reasons, as sentences. */
  reasons: string[];
  /** What the rule decided about this issue, newest first. */
  history: OutcomeItem[];
}

const MAX_RULES_ANSWERED = 20;
const MAX_HISTORY = 20;

/** Explains why an issue led to a notification or not: for each rule that covers its project, or for one rule. */
export async function explainAlerts(
  workspace: Workspace,
  { issueText, ruleId, now }: { issueText: string; ruleId: number | null; now: number },
): Promise<WhyPage> {
  const { state, scope } = workspace;
  const rules = await state.alerts.listRules(scope, now);
  const page = { issueText, ruleId, rules: rules.map(({ id, name }) => ({ id, name })) };
  const issue = issueText === "" ? null : await findIssue(workspace, issueText);
  if (issue === null) return { ...page, issue: null, answers: [], leftOut: 0 };
  const asked = rules.filter(({ id, ...rule }) =>
    ruleId === null ? coversProject(rule, issue.projectId) : id === ruleId,
  );
  const answers: WhyAnswer[] = [];
  for (const rule of asked.slice(0, MAX_RULES_ANSWERED)) answers.push(await explain(workspace, { rule, issue, now }));
  const { id, shortId, title } = issue;
  return { ...page, issue: { id, shortId, title }, answers, leftOut: asked.length - answers.length };
}

async function explain(
  workspace: Workspace,
  { rule, issue, now }: { rule: AlertRule; issue: Issue; now: number },
): Promise<WhyAnswer> {
  const { state, scope } = workspace;
  const outcomes = await state.alerts.listOutcomes(scope, { ruleId: rule.id, issueId: issue.id, limit: MAX_HISTORY });
  const { id, name, isEnabled } = rule;
  return {
    rule: { id, name, isEnabled },
    sentence: sayRule(rule, toRuleNames(await loadRuleNames(workspace))),
    reasons: await listReasons(workspace, { rule, issue, now }),
    history: await describeOutcomes(workspace, outcomes),
  };
}

async function listReasons(
  workspace: Workspace,
  { rule, issue, now }: { rule: AlertRule; issue: Issue; now: number },
): Promise<string[]> {
  const { state, scope, events, user } = workspace;
  const { projectId } = issue;
  const project = await state.projects.getProject(scope, projectId);
  if (!coversProject(rule, projectId)) return [`It does not cover the project ${project?.slug ?? "of this issue"}.`];
  const reasons: string[] = [];
  if (!rule.isEnabled) reasons.push("It is disabled: it tells nothing.");
  const [seen] = await state.alerts.listOutcomes(scope, { ruleId: rule.id, issueId: issue.id, limit: 1 });
  if (!seen && rule.createdAt > issue.firstSeenAt && rule.triggers.some(({ kind }) => kind === "new"))
    reasons.push("The issue is older than the rule. It tells what happens after it was made.");
  const { projectIds } = narrowScope(scope, [projectId]);
  const event = await events.findEdge({ projectIds, issueId: issue.id, from: null, to: null }, "latest");
  const misfit = findMisfit(rule, toSearchedIssue(issue), event && toSearchedEvent(event), now);
  if (rule.conditions.length > 0)
    reasons.push(
      misfit === null
        ? "The issue and its latest event fit its conditions now."
        : `The issue and its latest event do not fit now: ${misfit}.`,
    );
  if (rule.triggers.some(isCountTrigger) && issue.status !== "unresolved")
    reasons.push(`The issue is ${issue.status}. Numbers are told of unresolved issues alone.`);
  const change = { ruleId: rule.id, projectId, environment: event?.environment ?? null, at: now };
  const silence = findSilence(await state.silences.listSilences(scope, now), change);
  if (silence !== null)
    reasons.push(`It is silenced now by ${silence.madeBy}${silence.reason && `: ${silence.reason}`}.`);
  const open = await state.alertPeriods.listPeriods(scope, { issueId: issue.id, isOpen: true, limit: MAX_HISTORY });
  const answered = open.find((period) => period.ruleId === rule.id)?.acknowledged;
  if (answered)
    reasons.push(
      `${answered.by?.name ?? "Somebody"} has acknowledged the issue: it tells nothing more of it until the issue is resolved or archived.`,
    );
  const [fired] = await state.alerts.listOutcomes(scope, {
    ruleId: rule.id,
    issueId: issue.id,
    outcome: "fired",
    limit: 1,
  });
  const { frequencyMinutes } = rule;
  if (fired && frequencyMinutes > 0 && fired.at + frequencyMinutes * MINUTE_MS > now)
    reasons.push(
      `It fired within the last ${sayMinutes(frequencyMinutes)}, and tells nothing more of this issue until then is over.`,
    );
  const { findOwnerEmail, mailFrom, sendsNothing } = workspace.notifications;
  const receiverParts = { state, findOwnerEmail, isMailSetUp: mailFrom !== null };
  const receivers = await loadReceivers(receiverParts, scope, projectId);
  const owners = await findRuleOwners(workspace, { actions: rule.actions, issueIds: [issue.id] });
  const owner = owners.get(issue.id) ?? null;
  const targets = listRuleTargets(rule.actions, receivers, { assignee: issue.assignee, owner, at: now });
  const names = targets.map((target) => nameTarget(target, receivers));
  reasons.push(
    names.length === 0
      ? "It would tell nobody now: no receiver sees the project or can be reached."
      : `It would tell ${names.slice(0, 10).join(", ")}${names.length > 10 ? ` and ${names.length - 10} more` : ""} now.`,
  );
  if (rule.actions.some(({ kind }) => kind === "owners"))
    reasons.push("Owners by rule depend on the event: these are the ones that were found for the issue last.");
  if (user) {
    const isTold = targets.some(
      (target) =>
        findPerson(target) === user.id ||
        (target.channel === "email" && target.address.toLowerCase() === user.email.toLowerCase()),
    );
    reasons.push(isTold ? "You are one of them." : "You are not one of them.");
    const snoozers = await state.comments.listSnoozers(scope, [issue.id], now);
    if (isTold && snoozers.some(({ userId }) => userId === user.id))
      reasons.push("You have snoozed this issue: you hear nothing of it.");
  }
  if (sendsNothing) reasons.push("All of them hear nothing: this server was started with SEND_NOTHING=1.");
  else if (!receivers.isMailSetUp) reasons.push("Mail is not set up: people hear of it in their browsers alone.");
  return reasons;
}

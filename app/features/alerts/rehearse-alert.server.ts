import type { Workspace } from "../../access/workspace.ts";
import {
  type AlertAction,
  type AlertRuleDraft,
  type AlertTrigger,
  isCountTrigger,
} from "../../domain/alerts/alert-rule.ts";
import { nameChange } from "../../domain/alerts/name-change.ts";
import {
  applyFrequency,
  type CountedWindow,
  findBetterLine,
  findPeriods,
  type RehearsedFiring,
} from "../../domain/alerts/rehearsal.ts";
import { bindRuleConditions, fitsConditions } from "../../domain/alerts/rule-conditions.ts";
import { sayNumber } from "../../domain/alerts/say-rule.ts";
import type { Issue } from "../../domain/issue.ts";
import { narrowScope, type Scope } from "../../domain/scope.ts";
import { isAlways } from "../../domain/search/condition.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { listRuleTargets, type Receivers } from "../../notifications/list-rule-targets.ts";
import { loadReceivers } from "../../notifications/load-receivers.ts";
import { sayReached, TRANSITION_WORDS } from "../../notifications/message-words.ts";
import { countWindows, stepOf, toFiringsAt } from "../../rehearsal/count-windows.ts";
import { toSearchedEvent } from "../../stores/events/searched-event.ts";
import { toSearchedIssue } from "../../stores/state/issue-store.ts";
import { countLeftOut, sayLeftOut } from "../limits/say-left-out.server.ts";
import { findRuleOwners } from "./find-rule-owners.server.ts";
import { nameTarget } from "./name-target.ts";

const REHEARSED_DAYS = 14;
/** The length of a bar in the chart. */
const BAR_MS = 2 * HOUR_MS;
/** Milliseconds: people wait for the answer. It names what was not checked in that time. */
const LIMIT_MS = 8_000;
const MAX_LISTED = 30;
const MAX_CHANGES = 2_000;

export interface Rehearsal {
  from: number;
  to: number;
  tookMs: number;
  times: number;
  messages: number;
  /** An upper limit for the messages of steps, because nobody can acknowledge in a rehearsal. */
  stepMessages: number;
  /** Firings, newest first. At most 30. */
  firings: Array<
    Omit<RehearsedFiring, "issueId"> & {
      issue: { id: number; shortId: string; title: string };
      /** The subject of the message. */
      message: string;
      to: string[];
      /** Who would have been notified if nobody had acknowledged. */
      steps: Array<{ afterMinutes: number; to: string[] }>;
    }
  >;
  /** For a number: its largest value of one issue in each two hours, and the line. Null: the rule only waits for changes. */
  chart: { kind: "events" | "users"; line: number; bars: Array<{ at: number; value: number }> } | null;
  better: { count: number; times: number } | null;
  /** Sentences about what cannot be known. */
  unknown: string[];
}

/** Rehearses a draft: when it would have fired in the last 14 days. The running server's evaluators find this in stored data. */
export async function rehearseAlert(workspace: Workspace, draft: AlertRuleDraft, now: number): Promise<Rehearsal> {
  const startedAt = performance.now();
  const isLate = () => performance.now() - startedAt > LIMIT_MS;
  const { state } = workspace;
  const scope = draft.projectIds === null ? workspace.scope : narrowScope(workspace.scope, draft.projectIds);
  // Until the end of this minute, so that the latest data counts, too.
  const to = Math.ceil(now / MINUTE_MS) * MINUTE_MS;
  const from = to - REHEARSED_DAYS * DAY_MS;
  const unknown: string[] = [];
  const found: RehearsedFiring[] = await findChanges(workspace, { draft, scope, from, to, isLate, unknown });
  const counted = draft.triggers.filter(isCountTrigger);
  let chart: Rehearsal["chart"] = null;
  let windowsOfLine: CountedWindow[] = [];
  for (const trigger of counted) {
    const { windows, isWhole } = await countWindows(workspace, { rule: draft, trigger, scope, from, to, isLate });
    const isCut = `There is too much to count in ${LIMIT_MS / 1000} seconds: what is shown is of the newest part alone.`;
    if (!isWhole && !unknown.includes(isCut)) unknown.push(isCut);
    const stepMs = stepOf(trigger.minutes);
    found.push(...findPeriods(windows, { kind: trigger.kind, count: trigger.count, stepMs, until: to }));
    windowsOfLine = windows;
    chart ??= { kind: trigger.kind, line: trigger.count, bars: toBars(windows, from, to) };
  }
  const firings = applyFrequency(found, draft.frequencyMinutes);
  const [only, second] = draft.triggers;
  const better =
    only && !second && isCountTrigger(only) && unknown.length === 0
      ? findBetterLine(
          only.count,
          toFiringsAt(windowsOfLine, { trigger: only, frequencyMinutes: draft.frequencyMinutes, until: to }),
          new Set(
            await state.alertNoise.listActedIssues(scope, {
              issueIds: firings.map(({ issueId }) => issueId),
              from,
              to,
            }),
          ),
        )
      : null;
  const told = await describeFirings(workspace, { draft, scope, firings });
  unknown.push(...sayUnknown(draft));
  const unstored = counted.length > 0 ? await countLeftOut(workspace, scope, { since: from, until: to }) : 0;
  if (unstored > 0) {
    const kinds = new Set(counted.map(({ kind }) => kind));
    const said = [
      ...(kinds.has("events") ? ["The rule counts them, and this rehearsal does not."] : []),
      ...(kinds.has("users") ? ["Their users are not known: neither the rule nor this rehearsal counts them."] : []),
    ];
    unknown.push(`${sayLeftOut(unstored)} ${said.join(" ")}`);
  }
  return {
    from,
    to,
    tookMs: Math.round(performance.now() - startedAt),
    times: firings.length,
    ...told,
    chart,
    better,
    unknown,
  };
}

interface Asked {
  draft: AlertRuleDraft;
  scope: Scope;
  from: number;
  to: number;
  isLate: () => boolean;
  unknown: string[];
}

async function findChanges(
  { state, events }: Workspace,
  { draft, scope, from, to, isLate, unknown }: Asked,
): Promise<RehearsedFiring[]> {
  const wanted = new Set(draft.triggers.map(({ kind }) => kind));
  if (draft.triggers.every(isCountTrigger)) return [];
  const changes = await state.alerts.listChanges(scope, { from, to, limit: MAX_CHANGES });
  if (changes.length === MAX_CHANGES)
    unknown.push(`More than ${MAX_CHANGES.toLocaleString("en")} changes of issues: only the newest are looked at.`);
  const condition = bindRuleConditions(draft, to);
  const issues = await loadIssues(state, scope, changes);
  const found: RehearsedFiring[] = [];
  for (const { issueId, kind: said, at, data } of changes) {
    const eventId = typeof data.eventId === "string" ? data.eventId : "";
    const transition = said === "first_seen" ? "new" : said === "resolved" ? "resolved" : "regressed";
    // Nobody is notified of an issue that a person reopened.
    if (said === "reopened" && data.archive === undefined) continue;
    const kind = nameChange({ transition, eventId, at }, [{ kind: said, at, data }]);
    const issue = issues.get(issueId);
    if (!wanted.has(kind) || !issue) continue;
    if (isLate()) {
      unknown.push("It took too long: changes before the oldest one in the list are not looked at.");
      break;
    }
    if (!isAlways(condition)) {
      const { projectIds } = scope;
      const event =
        (eventId === "" ? null : await events.getEvent(eventId, projectIds)) ??
        (await events.findEdge({ projectIds, issueId, from: null, to: at + 1 }, "latest"));
      if (!fitsConditions(condition, toSearchedIssue(issue), event && toSearchedEvent(event))) continue;
    }
    found.push({ issueId, trigger: kind, at, endedAt: null, peak: null });
  }
  return found;
}

/** Lists whom the firings would have told, newest first, and counts the messages. */
async function describeFirings(
  workspace: Workspace,
  { draft, scope, firings }: { draft: AlertRuleDraft; scope: Scope; firings: readonly RehearsedFiring[] },
): Promise<Pick<Rehearsal, "messages" | "stepMessages" | "firings">> {
  const { state } = workspace;
  const issues = await loadIssues(state, scope, firings);
  const projects = new Map((await state.projects.listProjects(scope)).map(({ id, slug }) => [id, slug]));
  const { findOwnerEmail, mailFrom } = workspace.notifications;
  const receiverParts = { state, findOwnerEmail, isMailSetUp: mailFrom !== null };
  const receivers = new Map<number, Receivers>();
  for (const projectId of new Set([...issues.values()].map((issue) => issue.projectId)))
    receivers.set(projectId, await loadReceivers(receiverParts, scope, projectId));
  const owners = await findRuleOwners(workspace, {
    actions: [...draft.actions, ...draft.steps.flatMap(({ actions }) => actions)],
    issueIds: [...issues.keys()],
  });
  let messages = 0;
  let stepMessages = 0;
  const listed: Rehearsal["firings"] = [];
  for (const { issueId, ...firing } of firings.toReversed()) {
    const issue = issues.get(issueId);
    const of = issue && receivers.get(issue.projectId);
    if (!issue || !of) continue;
    const tell = (actions: readonly AlertAction[], at: number) =>
      listRuleTargets(actions, of, { assignee: issue.assignee, owner: owners.get(issueId) ?? null, at }).map((each) =>
        nameTarget(each, of),
      );
    const told = tell(draft.actions, firing.at);
    messages += told.length;
    // A resolved issue needs no answer.
    const asked = firing.trigger === "resolved" ? [] : draft.steps;
    const steps = asked.map(({ afterMinutes, actions }) => ({
      afterMinutes,
      to: tell(actions, firing.at + afterMinutes * MINUTE_MS),
    }));
    stepMessages += steps.reduce((sum, { to: ofStep }) => sum + ofStep.length, 0);
    if (listed.length === MAX_LISTED) continue;
    const { id, shortId, title } = issue;
    const trigger = draft.triggers.find(({ kind }) => kind === firing.trigger);
    listed.push({
      ...firing,
      issue: { id, shortId, title },
      message: `[${projects.get(issue.projectId) ?? ""}] ${trigger && isCountTrigger(trigger) ? sayReached(sayNumber(trigger)) : sayWhat(firing.trigger)}: ${title}`,
      to: told,
      steps,
    });
  }
  return { messages, stepMessages, firings: listed };
}

async function loadIssues(
  state: Workspace["state"],
  scope: Scope,
  changes: ReadonlyArray<{ issueId: number }>,
): Promise<Map<number, Issue>> {
  const issues = await state.issues.getIssues(scope, [...new Set(changes.map(({ issueId }) => issueId))]);
  return new Map(issues.map((issue) => [issue.id, issue]));
}

function toBars(windows: readonly CountedWindow[], from: number, to: number): Array<{ at: number; value: number }> {
  const bars = Array.from({ length: Math.ceil((to - from) / BAR_MS) }, (_, index) => ({
    at: from + index * BAR_MS,
    value: 0,
  }));
  for (const { at, value } of windows) {
    const bar = bars[Math.floor((at - 1 - from) / BAR_MS)];
    if (bar && value > bar.value) bar.value = value;
  }
  return bars;
}

function sayWhat(kind: AlertTrigger["kind"]): string {
  return kind === "new" || kind === "resolved" ? TRANSITION_WORDS[kind] : TRANSITION_WORDS.regressed;
}

function sayUnknown({ triggers, conditions, actions: told, steps }: AlertRuleDraft): string[] {
  const actions = [...told, ...steps.flatMap((step) => step.actions)];
  const kinds = new Set<string>(triggers.map(({ kind }) => kind));
  const counted = triggers.filter(isCountTrigger);
  return [
    ...(kinds.has("high-priority")
      ? ["When an issue became high in priority is not stored: this trigger is left out."]
      : []),
    ...counted.map(
      ({ kind, minutes }) =>
        `${kind === "events" ? "Events" : "Users"} are counted every ${stepOf(minutes) / MINUTE_MS} minutes here, and every 15 seconds by the rule: it may fire somewhat earlier, or once more.`,
    ),
    ...(counted.length > 0 ? ["Whether an issue was resolved or archived at that time is not looked at."] : []),
    ...(conditions.length > 0 ? ["Of an issue itself (status, level, counts) conditions see what it is now."] : []),
    ...(actions.some(({ kind }) => kind === "assignee") ? ["The assignee is the one of now."] : []),
    ...(actions.some(({ kind }) => kind === "owners")
      ? ["Owners by rule are those that were found for each issue last."]
      : []),
    ...(actions.some(({ kind }) => kind === "on-call") ? ["The rota is the one of now, with its overrides."] : []),
    ...(steps.length > 0
      ? ["Nobody can acknowledge in a rehearsal: all steps are counted. One period of an issue may be counted twice."]
      : []),
    "Events that retention has deleted are not counted.",
  ];
}

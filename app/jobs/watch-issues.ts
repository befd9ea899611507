import { scopeOfServer } from "../access/server-scope.ts";
import { type AlertRule, type AlertTrigger, coversProject, isCountTrigger } from "../domain/alerts/alert-rule.ts";
import { type AlertSilence, findSilence } from "../domain/alerts/silence.ts";
import type { Scope } from "../domain/scope.ts";
import type { FoundFiring } from "../stores/state/alert-store.ts";
import type { State } from "../stores/state/state.ts";
import { createFiringPlanner, type FiringParts } from "./fire-alerts.ts";
import { listTriggeringIssues, type TriggeringIssue, type TriggeringParts } from "./list-triggering-issues.ts";
import type { Job } from "./runner.ts";

/** A number is told within half a minute of the event that reached it. */
const EVERY_MS = 15_000;

export interface WatchIssuesParts extends FiringParts {
  state: FiringParts["state"] & TriggeringParts["state"] & Pick<State, "alertWork" | "directory">;
  events: FiringParts["events"] & TriggeringParts["events"];
  createKey: () => string;
}

type Planner = ReturnType<typeof createFiringPlanner>;

/** Tells, by alert rules, that an issue reached a number within some minutes, or that its priority became high. */
export function createWatchIssuesJob(parts: WatchIssuesParts): Job {
  const { state, events, now, createKey } = parts;

  async function look(
    rule: AlertRule & { isPrimed: boolean },
    trigger: AlertTrigger,
    { scopes, planner, silences }: { scopes: readonly Scope[]; planner: Planner; silences: readonly AlertSilence[] },
  ): Promise<number> {
    const held: TriggeringIssue[] = [];
    for (const scope of scopes) held.push(...(await listTriggeringIssues(parts, rule, trigger, { scope, silences })));
    const at = now();
    const found: FoundFiring[] = [];
    for (const { issue, value, silenceId: ofNumber } of held) {
      const scope = scopeOfServer([issue.projectId]);
      const event = await events.findEdge(
        { projectIds: scope.projectIds, issueId: issue.id, from: null, to: null },
        "latest",
      );
      const facts = {
        issue,
        eventId: event?.eventId ?? "",
        at,
        release: event?.release ?? null,
        value,
        isPeriod: true,
      };
      // An issue that was urgent before the rule began has not become urgent now.
      const isKnown = !rule.isPrimed && trigger.kind === "high-priority";
      const environment = isCountTrigger(trigger) ? null : (event?.environment ?? null);
      const { projectId } = issue;
      const silenceId = ofNumber ?? findSilence(silences, { ruleId: rule.id, projectId, environment, at })?.id;
      const planned = await planner.plan(rule, trigger, facts);
      found.push({ ...planned, isKnown, ...(silenceId === undefined || isKnown ? {} : { silenceId }) });
    }
    const exceptIssueIds = held.map(({ issue }) => issue.id);
    const ended = await state.alertWork.endPeriods({ ruleId: rule.id, trigger: trigger.kind, exceptIssueIds, at });
    return ended + (found.length === 0 ? 0 : await state.alertWork.fire({ reader: null, found, now: at, createKey }));
  }

  async function noteFailure({ id, projectIds }: AlertRule, { kind }: AlertTrigger, error: unknown): Promise<void> {
    const detail = error instanceof Error ? error.message : String(error);
    // A failure for all projects is noted in the first one, so that everybody who sees that project sees the failure.
    const projectId = projectIds?.[0] ?? (await state.directory.listProjects())[0]?.id ?? 0;
    const seen = { ruleId: id, projectId, issueId: 0, trigger: kind, at: now(), outcome: "error", detail } as const;
    await state.alertWork.fire({ reader: null, found: [], seen: [{ ...seen, isRepeat: true }], now: now(), createKey });
  }

  return {
    name: "watch-issues",
    everyMs: EVERY_MS,
    wakes: ["deliver"],
    async run(signal) {
      const rules = (await state.alertWork.listEnabledRules()).filter(({ triggers }) => triggers.some(isWatched));
      if (rules.length === 0) return "idle";
      const projects = await state.directory.listProjects();
      const planner = createFiringPlanner(parts);
      const silences = await state.alertWork.listSilences({ from: now(), to: now() });
      const failures: unknown[] = [];
      let changes = 0;
      for (const rule of rules) {
        const scopes = projects.filter(({ id }) => coversProject(rule, id)).map(({ id }) => scopeOfServer([id]));
        for (const trigger of rule.triggers.filter(isWatched)) {
          if (signal.aborted) return "worked";
          try {
            changes += await look(rule, trigger, { scopes, planner, silences });
          } catch (error) {
            // A rule that fails does not keep the others from telling.
            failures.push(error);
            await noteFailure(rule, trigger, error);
          }
        }
        if (!rule.isPrimed) await state.alertWork.notePrimed(rule.id);
      }
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} looks of alert rules failed`);
      return changes > 0 ? "worked" : "idle";
    },
  };
}

function isWatched(trigger: AlertTrigger): boolean {
  return isCountTrigger(trigger) || trigger.kind === "high-priority";
}

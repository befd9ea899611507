import { scopeOfServer } from "../access/server-scope.ts";
import { findDueStep } from "../domain/alerts/escalation.ts";
import { sayMinutes } from "../domain/alerts/say-rule.ts";
import { type AlertSilence, findSilence } from "../domain/alerts/silence.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import type { DuePeriod } from "../stores/state/alert-period-store.ts";
import type { NewsItem } from "../stores/state/delivery-store.ts";
import type { State } from "../stores/state/state.ts";
import { createFiringPlanner, type FiringParts } from "./fire-alerts.ts";
import type { Job } from "./runner.ts";

/** Steps are minutes apart. If no step is due, a run costs two reads. */
const EVERY_MS = 2_000;
const PERIODS_AT_ONCE = 100;

export interface EscalateParts extends FiringParts {
  state: FiringParts["state"] & Pick<State, "alertPeriodWork" | "alertWork" | "issues">;
  events: FiringParts["events"] & Pick<EventStore, "getEvent">;
  now: () => number;
  createKey: () => string;
}

/** Tells the later steps of alert rules while nobody has acknowledged the issue. */
export function createEscalateJob(parts: EscalateParts): Job {
  const { state, events, now, createKey } = parts;
  const { alertPeriodWork } = state;

  async function isSilenced(period: DuePeriod, silences: readonly AlertSilence[]): Promise<boolean> {
    const { ruleId, projectId, eventId } = period;
    // The event is only read if its environment decides.
    const event =
      eventId === "" || silences.every(({ environment }) => environment === null)
        ? null
        : await events.getEvent(eventId, scopeOfServer([projectId]).projectIds);
    return findSilence(silences, { ruleId, projectId, environment: event?.environment ?? null, at: now() }) !== null;
  }

  /** Returns whether the step was told. A silenced step stays due, and is told when the silence ends. */
  async function escalate(
    period: DuePeriod,
    { planner, silences }: { planner: ReturnType<typeof createFiringPlanner>; silences: readonly AlertSilence[] },
  ): Promise<boolean> {
    const at = now();
    const due = findDueStep(period.steps, period, at);
    if (due === null || (await isSilenced(period, silences))) return false;
    const { projectId, issueId, eventId, release, ruleName } = period;
    const issue = await state.issues.getIssue(scopeOfServer([projectId]), issueId);
    if (issue === null) return false;
    const item: NewsItem = {
      transition: "escalated",
      issueId,
      eventId,
      at,
      release,
      rule: ruleName,
      unansweredFor: sayMinutes(due.step.afterMinutes),
    };
    const targets = await planner.listTargets(due.step.actions, issue, eventId);
    return await alertPeriodWork.tellStep({
      periodId: period.id,
      number: due.number,
      targets,
      item,
      now: at,
      createKey,
    });
  }

  return {
    name: "escalate",
    everyMs: EVERY_MS,
    wakes: ["deliver"],
    async run(signal) {
      let changes = await alertPeriodWork.settleClock(now());
      let after: { nextAt: number; id: number } | null = null;
      const planner = createFiringPlanner(parts);
      const silences = once(() => state.alertWork.listSilences({ from: now(), to: now() }));
      const failures: unknown[] = [];
      while (!signal.aborted) {
        const periods: DuePeriod[] = await alertPeriodWork.listDue({ now: now(), after, limit: PERIODS_AT_ONCE });
        for (const period of periods) {
          if (signal.aborted) return "worked";
          after = { nextAt: period.nextAt ?? 0, id: period.id };
          try {
            if (await escalate(period, { planner, silences: await silences() })) changes += 1;
          } catch (error) {
            // A period that fails does not keep the others from being told.
            failures.push(error);
          }
        }
        if (periods.length < PERIODS_AT_ONCE) break;
      }
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} steps of alert rules failed`);
      return changes > 0 ? "worked" : "idle";
    },
  };
}

function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | null = null;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

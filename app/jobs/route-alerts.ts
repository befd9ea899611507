import { scopeOfServer } from "../access/server-scope.ts";
import { coversProject } from "../domain/alerts/alert-rule.ts";
import { nameChange, sayReturn } from "../domain/alerts/name-change.ts";
import { findMisfit } from "../domain/alerts/rule-conditions.ts";
import { type AlertSilence, findSilence } from "../domain/alerts/silence.ts";
import type { NumberedJournal } from "../domain/journal-positions.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { toSearchedEvent } from "../stores/events/searched-event.ts";
import type { FoundFiring, SeenByRule, WorkingRule } from "../stores/state/alert-store.ts";
import { toSearchedIssue } from "../stores/state/issue-store.ts";
import type { OutboxEntry } from "../stores/state/outbox-store.ts";
import type { State } from "../stores/state/state.ts";
import { areEventsBehind } from "./are-events-behind.ts";
import { createFiringPlanner, type FiringParts } from "./fire-alerts.ts";
import type { Job } from "./runner.ts";

/** The name of this reader in the outbox. */
export const ALERTS_READER = "alerts";

/** As often as people are told of new issues. If there is no news, a run costs one read. */
const EVERY_MS = 1_000;
/** Each entry may cost the read of an event. */
const ENTRIES_AT_ONCE = 100;

export interface RouteAlertsParts extends FiringParts {
  state: FiringParts["state"] & Pick<State, "outbox" | "alertWork" | "issues" | "batches">;
  events: FiringParts["events"] & Pick<EventStore, "findEdge" | "appliedSequence">;
  journals: readonly NumberedJournal[];
  now: () => number;
  createKey: () => string;
}

type Change = OutboxEntry & { transition: "new" | "regressed" | "resolved" };

/** Tells what happened to issues, by alert rules. */
export function createRouteAlertsJob(parts: RouteAlertsParts): Job {
  const { state, events, journals, now, createKey } = parts;

  async function evaluate(
    changes: readonly Change[],
    { rules, silences }: { rules: readonly WorkingRule[]; silences: readonly AlertSilence[] },
  ): Promise<{ found: FoundFiring[]; seen: SeenByRule[] }> {
    const planner = createFiringPlanner(parts);
    const found: FoundFiring[] = [];
    const seen: SeenByRule[] = [];
    for (const change of changes) {
      const { projectId, issueId } = change;
      const ofProject = rules.filter((rule) => mayTell(rule, change));
      if (ofProject.length === 0) continue;
      const ofChange: FoundFiring[] = [];
      const scope = scopeOfServer([projectId]);
      const issue = await state.issues.getIssue(scope, issueId);
      if (issue === null) continue;
      const activity = change.transition === "regressed" ? await state.issues.listActivity(scope, issueId) : [];
      const kind = nameChange(change, activity);
      const back = sayReturn(change, activity);
      for (const rule of ofProject) {
        const trigger = rule.triggers.find((each) => each.kind === kind);
        if (trigger === undefined) continue;
        // The end of an archive and a resolve have no event of their own. The latest event of the issue is used.
        const event = needsEvent(rule, change, silences)
          ? ((change.eventId === "" ? null : await events.getEvent(change.eventId, scope.projectIds)) ??
            (await events.findEdge(
              { projectIds: scope.projectIds, issueId: issue.id, from: null, to: null },
              "latest",
            )))
          : null;
        const about = { ruleId: rule.id, projectId, issueId: issue.id, trigger: trigger.kind, at: change.at };
        const misfit = findMisfit(rule, toSearchedIssue(issue), event && toSearchedEvent(event), now());
        if (misfit !== null) {
          seen.push({ ...about, outcome: "unfit", detail: misfit });
          continue;
        }
        const silence = findSilence(silences, { ...about, environment: event?.environment ?? null });
        if (silence !== null) {
          seen.push({ ...about, outcome: "silenced", silenceId: silence.id });
          continue;
        }
        const eventId = change.eventId || (event?.eventId ?? "");
        const { at, release } = change;
        ofChange.push(
          await planner.plan(rule, trigger, { issue, eventId, at, release, back, value: null, isPeriod: false }),
        );
      }
      found.push(...(await planner.unite(ofChange)));
    }
    return { found, seen };
  }

  return {
    name: "route-alerts",
    everyMs: EVERY_MS,
    wakes: ["deliver"],
    async run(signal) {
      for (let isIdle = true; ; isIdle = false) {
        const entries = await state.outbox.readOutbox(ALERTS_READER, ENTRIES_AT_ONCE);
        if (entries.length === 0 || signal.aborted) return isIdle ? "idle" : "worked";
        const rules = await state.alertWork.listEnabledRules();
        const instants = entries.map(({ at }) => at);
        const silences = await state.alertWork.listSilences({ from: Math.min(...instants), to: Math.max(...instants) });
        // State knows an issue a moment before the event store has its event. Rules that need no event do not wait for it.
        const waiting = (await areEventsBehind({ state, events }, journals))
          ? entries.findIndex(
              (entry) =>
                isChange(entry) && rules.some((rule) => mayTell(rule, entry) && needsEvent(rule, entry, silences)),
            )
          : -1;
        const ready = waiting === -1 ? entries : entries.slice(0, waiting);
        const last = ready.at(-1);
        if (last === undefined) return isIdle ? "idle" : "worked";
        const { found, seen } = await evaluate(ready.filter(isChange), { rules, silences });
        const reader = { name: ALERTS_READER, position: last.position };
        await state.alertWork.fire({ reader, found, seen, now: now(), createKey });
      }
    },
  };
}

/** Whether the rule may tell the change, as far as this is known without the issue. */
function mayTell(rule: WorkingRule, { projectId, position }: Change): boolean {
  return coversProject(rule, projectId) && position > rule.afterPosition;
}

function needsEvent(
  { conditions, actions }: WorkingRule,
  { eventId, projectId }: Change,
  silences: readonly AlertSilence[],
): boolean {
  return (
    conditions.length > 0 ||
    (actions.some(({ kind }) => kind === "owners") && eventId === "") ||
    silences.some((each) => each.environment !== null && (each.projectId === null || each.projectId === projectId))
  );
}

function isChange(entry: OutboxEntry): entry is Change {
  return entry.transition === "new" || entry.transition === "regressed" || entry.transition === "resolved";
}

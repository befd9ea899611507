import { scopeOfServer } from "../access/server-scope.ts";
import { coversProject } from "../domain/alerts/alert-rule.ts";
import { nameChange } from "../domain/alerts/name-change.ts";
import { bindRuleConditions, fitsConditions } from "../domain/alerts/rule-conditions.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { toSearchedEvent } from "../stores/events/searched-event.ts";
import type { FoundFiring } from "../stores/state/alert-store.ts";
import { toSearchedIssue } from "../stores/state/issue-store.ts";
import type { OutboxEntry } from "../stores/state/outbox-store.ts";
import type { State } from "../stores/state/state.ts";
import { createFiringPlanner, type FiringParts } from "./fire-alerts.ts";
import type { Job } from "./runner.ts";

/** The name of this reader in the outbox. */
export const ALERTS_READER = "alerts";

/** As often as people are told of new issues. Without news it costs one read. */
const EVERY_MS = 1_000;
/** Each may read an event. */
const ENTRIES_AT_ONCE = 100;

export interface RouteAlertsParts extends FiringParts {
  state: FiringParts["state"] & Pick<State, "outbox" | "alertWork" | "issues" | "batches">;
  events: FiringParts["events"] & Pick<EventStore, "findEdge" | "appliedSequence">;
  journalId: string;
  now: () => number;
  createKey: () => string;
}

type Change = OutboxEntry & { transition: "new" | "regressed" | "resolved" };

/** Tells by alert rules what happened to issues. */
export function createRouteAlertsJob(parts: RouteAlertsParts): Job {
  const { state, events, journalId, now, createKey } = parts;

  async function listFound(changes: readonly Change[]): Promise<FoundFiring[]> {
    if (changes.length === 0) return [];
    const rules = await state.alertWork.listEnabledRules();
    const planner = createFiringPlanner(parts);
    const found: FoundFiring[] = [];
    for (const change of changes) {
      const { projectId, issueId } = change;
      const ofProject = rules.filter((rule) => coversProject(rule, projectId));
      if (ofProject.length === 0) continue;
      const scope = scopeOfServer([projectId]);
      const issue = await state.issues.getIssue(scope, issueId);
      if (issue === null) continue;
      const activity = change.transition === "regressed" ? await state.issues.listActivity(scope, issueId) : [];
      const kind = nameChange(change, activity);
      for (const rule of ofProject) {
        const trigger = rule.triggers.find((each) => each.kind === kind);
        if (trigger === undefined) continue;
        // An archive whose time is over, and a resolve, have no event: the latest one speaks for the issue.
        const event =
          (change.eventId === "" ? null : await events.getEvent(change.eventId, scope.projectIds)) ??
          (await events.findEdge({ projectIds: scope.projectIds, issueId: issue.id, from: null, to: null }, "latest"));
        const condition = bindRuleConditions(rule, now());
        if (!fitsConditions(condition, toSearchedIssue(issue), event && toSearchedEvent(event))) continue;
        const eventId = change.eventId || (event?.eventId ?? "");
        const { at, release } = change;
        found.push(await planner.plan(rule, trigger, { issue, eventId, at, release, value: null, isPeriod: false }));
      }
    }
    return found;
  }

  return {
    name: "route-alerts",
    everyMs: EVERY_MS,
    async run(signal) {
      for (let isIdle = true; ; isIdle = false) {
        const entries = await state.outbox.readOutbox(ALERTS_READER, ENTRIES_AT_ONCE);
        const last = entries.at(-1);
        if (last === undefined || signal.aborted) return isIdle ? "idle" : "worked";
        const changes = entries.filter(isChange);
        // State knows an issue a moment before its event is stored.
        if (changes.some(({ eventId }) => eventId !== "")) {
          const wanted = await state.batches.appliedSequence(journalId);
          if ((await events.appliedSequence(journalId)) < wanted) return isIdle ? "idle" : "worked";
        }
        const found = await listFound(changes);
        const reader = { name: ALERTS_READER, position: last.position };
        await state.alertWork.fire({ reader, found, now: now(), createKey });
      }
    },
  };
}

function isChange(entry: OutboxEntry): entry is Change {
  return entry.transition === "new" || entry.transition === "regressed" || entry.transition === "resolved";
}

import { scopeOfServer } from "../access/server-scope.ts";
import type { NumberedJournal } from "../domain/journal-positions.ts";
import type { EventPayloads } from "../stores/event-payloads.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import type { OutboxEntry } from "../stores/state/outbox-store.ts";
import type { State } from "../stores/state/state.ts";
import type { RuleAssignment } from "../stores/state/triage-store.ts";
import { areEventsBehind } from "./are-events-behind.ts";
import { findMonitorOwner } from "./find-monitor-owner.ts";
import { openOwnerFinder } from "./find-owner.ts";
import type { Job } from "./runner.ts";

/** The name of this reader in the outbox. */
export const OWNERS_READER = "owners";

/** As often as people are told of new issues. If there is no news, a run costs one read. */
const EVERY_MS = 1_000;
/** Each entry may cost the read of a payload. */
const ENTRIES_AT_ONCE = 50;

interface OwnerParts {
  state: Pick<State, "outbox" | "rules" | "projects" | "members" | "triage" | "batches" | "issues" | "monitors">;
  events: Pick<EventStore, "getEvent" | "appliedSequence">;
  payloads: Pick<EventPayloads, "readEvent">;
  journals: readonly NumberedJournal[];
  now: () => number;
}

/**
 * Assigns new issues and those that come back. The assignee is the owner of the monitor that the issue is about. Otherwise the ownership
 * rules of the project decide.
 */
export function createAssignOwnersJob({ state, events, payloads, journals, now }: OwnerParts): Job {
  async function listAssignments(projectId: number, entries: readonly OutboxEntry[]): Promise<RuleAssignment[]> {
    const finder = await openOwnerFinder({ state, events, payloads }, projectId);
    const assignments: RuleAssignment[] = [];
    for (const { issueId, eventId } of entries) {
      const ofMonitor = await findMonitorOwner({ state, events, payloads }, { issueId, projectId, eventId });
      const owner = ofMonitor ?? (finder?.isAssigning ? await finder.find(eventId) : null);
      if (owner) assignments.push({ issueId, ...owner, at: now() });
    }
    return assignments;
  }

  return {
    name: "assign-owners",
    everyMs: EVERY_MS,
    async run(signal) {
      for (let isIdle = true; ; isIdle = false) {
        const entries = await state.outbox.readOutbox(OWNERS_READER, ENTRIES_AT_ONCE);
        const last = entries.at(-1);
        if (last === undefined || signal.aborted) return isIdle ? "idle" : "worked";
        const caused = entries.filter(({ eventId, transition }) => eventId !== "" && isCause(transition));
        // State knows an issue a moment before the event store has its event.
        if (caused.length > 0 && (await areEventsBehind({ state, events }, journals)))
          return isIdle ? "idle" : "worked";
        const assignments: RuleAssignment[] = [];
        for (const projectId of new Set(caused.map((entry) => entry.projectId)))
          assignments.push(
            ...(await listAssignments(
              projectId,
              caused.filter((entry) => entry.projectId === projectId),
            )),
          );
        const scope = scopeOfServer([...new Set(caused.map((entry) => entry.projectId))]);
        await state.triage.assignByRules(scope, assignments, { reader: OWNERS_READER, position: last.position });
      }
    },
  };
}

function isCause(transition: OutboxEntry["transition"]): boolean {
  return transition === "new" || transition === "regressed";
}

import { setImmediate } from "node:timers/promises";
import { scopeOfServer } from "../access/server-scope.ts";
import type { NumberedJournal } from "../domain/journal-positions.ts";
import type { NameOwner } from "../domain/ownership/owners.ts";
import { loadOwnerNames, type SuggestionParts, suggestOwners } from "../ownership/suggest-owners.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import type { State } from "../stores/state/state.ts";
import { areEventsBehind } from "./are-events-behind.ts";
import type { Job } from "./runner.ts";

const EVERY_MS = 5_000;
/** Each issue may cost the read of a payload. */
const ISSUES_AT_ONCE = 25;
/** The most rounds of one run. During a flood, new issues get their suggestions later, and other work does not wait. */
const MAX_ROUNDS = 4;

interface Parts extends Omit<SuggestionParts, "scope"> {
  state: SuggestionParts["state"] & Pick<State, "suggestionWork" | "batches">;
  events: SuggestionParts["events"] & Pick<EventStore, "appliedSequence">;
  journals: readonly NumberedJournal[];
  now: () => number;
}

/** Finds who could work on issues, so that lists and searches need not read events for it. */
export function createSuggestOwnersJob(parts: Parts): Job {
  const { state, events, journals, now } = parts;
  return {
    name: "suggest-owners",
    everyMs: EVERY_MS,
    async run(signal) {
      const projects = new Map<number, { names: Promise<NameOwner>; looksAtEvent: boolean }>();
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const at = now();
        const due = await state.suggestionWork.listDue({ now: at, limit: ISSUES_AT_ONCE });
        if (due.length === 0) return round === 0 ? "idle" : "worked";
        // State knows an issue a moment before the event store has its event.
        if (await areEventsBehind({ state, events }, journals)) return "idle";
        const found: Parameters<State["suggestionWork"]["saveSuggestions"]>[0][number][] = [];
        for (const { issueId, projectId } of due) {
          if (signal.aborted) return "worked";
          const scoped = { ...parts, scope: scopeOfServer([projectId]) };
          const known = projects.get(projectId) ?? {
            names: loadOwnerNames(scoped, projectId),
            looksAtEvent: await state.suggestionWork.mayNameOwners(projectId),
          };
          projects.set(projectId, known);
          const suggested = await suggestOwners(scoped, { id: issueId, projectId }, known);
          found.push({ issueId, suggested });
          // Lets requests come in between.
          await setImmediate();
        }
        await state.suggestionWork.saveSuggestions(found, at);
      }
      return "worked";
    },
  };
}

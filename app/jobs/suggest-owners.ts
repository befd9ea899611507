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
/** Each may read a payload. */
const ISSUES_AT_ONCE = 25;
/** Of one run: a flood of new issues gets its suggestions in a while, and keeps nobody waiting. */
const MAX_ROUNDS = 4;

interface Parts extends Omit<SuggestionParts, "scope"> {
  state: SuggestionParts["state"] & Pick<State, "suggestionWork" | "batches">;
  events: SuggestionParts["events"] & Pick<EventStore, "appliedSequence">;
  journals: readonly NumberedJournal[];
  now: () => number;
}

/** Finds who could work on issues, so that lists and searches know it without reading events. */
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
        // State knows an issue a moment before its event is stored.
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
          // Requests come between.
          await setImmediate();
        }
        await state.suggestionWork.saveSuggestions(found, at);
      }
      return "worked";
    },
  };
}

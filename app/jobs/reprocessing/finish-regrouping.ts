import { scopeOfServer } from "../../access/server-scope.ts";
import type { EventStore } from "../../stores/events/event-store.ts";
import type { State } from "../../stores/state/state.ts";
import { findMappedTitle, finishMerge, type RegroupingOptions, type RegroupingStores } from "./regroup-issue.ts";

export interface FinishingStores extends RegroupingStores {
  state: RegroupingStores["state"] & Pick<State, "reprocessing">;
  events: RegroupingStores["events"] & Pick<EventStore, "getEvent">;
}

const AT_ONCE = 100;

/** Completes what a crash or a failure has interrupted between the two stores. It can be done any number of times. */
export async function finishRegrouping(
  stores: FinishingStores,
  options: Pick<RegroupingOptions, "now" | "waitForEvents" | "breathe">,
): Promise<void> {
  await finishMoves(stores, options);
  for (;;) {
    const issues = await stores.state.reprocessing.listUnfinishedMerges(AT_ONCE);
    if (issues.length === 0) return;
    for (const issue of issues) {
      await options.breathe();
      await finishMerge(stores, issue, options);
    }
  }
}

/** Moves events that state counts in another issue and that the event store still has in the one before. */
async function finishMoves(
  stores: FinishingStores,
  { waitForEvents, breathe }: Pick<RegroupingOptions, "waitForEvents" | "breathe">,
): Promise<void> {
  const { state, events } = stores;
  for (;;) {
    const moves = await state.reprocessing.listEventMoves(AT_ONCE);
    if (moves.length === 0) return;
    await waitForEvents();
    const rows = [];
    for (const { projectId, eventId, toIssueId } of moves) {
      await breathe();
      const row = await events.getEvent(eventId, scopeOfServer([projectId]).projectIds);
      if (row === null) continue;
      rows.push({ projectId, eventId, issueId: toIssueId, title: await findMappedTitle(stores, row) });
    }
    await events.moveEvents(rows);
    await state.reprocessing.confirmEventMoves(moves);
  }
}

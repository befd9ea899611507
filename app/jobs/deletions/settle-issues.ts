import type { NumberedJournal } from "../../domain/journal-positions.ts";
import type { EventStore } from "../../stores/events/event-store.ts";
import type { State } from "../../stores/state/state.ts";
import { areEventsBehind } from "../are-events-behind.ts";

const ISSUES_AT_ONCE = 50;
/** A batch is in both stores after some tens of milliseconds. */
const MAX_WAIT_MS = 1_000;

interface Stores {
  state: Pick<State, "deletionWork" | "batches">;
  events: Pick<EventStore, "deletion" | "appliedSequence">;
}

/**
 * Updates the issues that lost events in a deletion. They no longer count users who have no events left in them, and they show the texts of
 * their latest remaining event. An issue without events is deleted, too. False: some issues have events on their way, and must be updated
 * later.
 */
export async function settleIssues(
  { state, events }: Stores,
  deletionId: number,
  {
    journals,
    showLatest,
    signal,
  }: {
    journals: readonly NumberedJournal[];
    showLatest: (issue: { projectId: number; issueId: number }) => Promise<void>;
    signal?: AbortSignal | undefined;
  },
): Promise<boolean> {
  for (;;) {
    signal?.throwIfAborted();
    const touched = await state.deletionWork.listTouched(deletionId, ISSUES_AT_ONCE);
    if (touched.length === 0) return true;
    // State is written a moment before the event store, which must first have what state counts.
    if (await areEventsBehind({ state, events }, journals, MAX_WAIT_MS)) return false;
    for (const issue of touched) {
      const { issueId, projectId, issueIds, userKeys, takenEvents } = issue;
      const left = projectId === null ? null : await events.deletion.findLeft({ projectId, issueIds, userKeys });
      const isEmpty = left !== null && left.events === 0 && takenEvents > 0;
      const goneUserKeys = userKeys.filter((key) => left?.userKeys.includes(key) === false);
      if (projectId !== null && !isEmpty && takenEvents > 0) await showLatest({ projectId, issueId });
      if (!(await state.deletionWork.settleTouched(deletionId, { ...issue, goneUserKeys, isEmpty }))) return false;
    }
  }
}

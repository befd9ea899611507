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
 * Issues that a deletion took events from: they count users no more that have none left, and show what the latest of those that are left
 * says; without an event, they are deleted, too. False: some have events on their way, and must be looked at later.
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
    // State is written a moment before the events: what it counts must be there.
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

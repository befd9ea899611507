import { setTimeout as sleep } from "node:timers/promises";
import type { EventStore } from "../../stores/events/event-store.ts";
import type { State } from "../../stores/state/state.ts";

const ISSUES_AT_ONCE = 50;
/** A batch is in both stores after some tens of milliseconds. */
const MAX_WAIT_MS = 1_000;
const PAUSE_MS = 10;

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
    journalId,
    showLatest,
    signal,
  }: {
    journalId: string;
    showLatest: (issue: { projectId: number; issueId: number }) => Promise<void>;
    signal?: AbortSignal | undefined;
  },
): Promise<boolean> {
  for (;;) {
    signal?.throwIfAborted();
    const touched = await state.deletionWork.listTouched(deletionId, ISSUES_AT_ONCE);
    if (touched.length === 0) return true;
    // State is written a moment before the events: what it counts must be there.
    if (!(await areEventsStored({ state, events }, journalId))) return false;
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

async function areEventsStored({ state, events }: Stores, journalId: string): Promise<boolean> {
  const counted = await state.batches.appliedSequence(journalId);
  for (let waitedMs = 0; waitedMs <= MAX_WAIT_MS; waitedMs += PAUSE_MS) {
    if ((await events.appliedSequence(journalId)) >= counted) return true;
    await sleep(PAUSE_MS);
  }
  return false;
}

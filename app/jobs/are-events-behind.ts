import { setTimeout as sleep } from "node:timers/promises";
import { isApplied, type NumberedJournal, readPositions } from "../domain/journal-positions.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import type { State } from "../stores/state/state.ts";

/** How long to wait for the batch under way. A batch is in both stores after some tens of milliseconds, one of many spans after some hundred. */
const MAX_WAIT_MS = 500;
const PAUSE_MS = 10;

/**
 * Whether the event store still lacks something that state has counted. It first waits up to `maxWaitMs` for the batch that is under way:
 * while data comes without end, there is nearly always one.
 */
export async function areEventsBehind(
  { state, events }: { state: Pick<State, "batches">; events: Pick<EventStore, "appliedSequence"> },
  journals: readonly NumberedJournal[],
  maxWaitMs = MAX_WAIT_MS,
): Promise<boolean> {
  const counted = await readPositions(state.batches, journals);
  for (let waitedMs = 0; !(await isApplied(events, journals, counted)); waitedMs += PAUSE_MS) {
    if (waitedMs >= maxWaitMs) return true;
    await sleep(PAUSE_MS);
  }
  return false;
}

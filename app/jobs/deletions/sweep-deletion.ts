import type { EventStore } from "../../stores/events/event-store.ts";
import type { OpenDeletion } from "../../stores/state/deletion-store.ts";
import type { State } from "../../stores/state/state.ts";

/** Events of one step, which keeps other writes waiting for some tens of milliseconds. */
const EVENTS_AT_ONCE = 1_000;
const ROWS_AT_ONCE = 5_000;

export interface SweepStores {
  state: Pick<State, "deletionWork">;
  events: Pick<EventStore, "deletion">;
}

/**
 * Deletes the rows that exist now of deleted data. Can be cut off and done again. An event is noted before its row is deleted, so that it
 * is also found when payload files are written again.
 */
export async function sweepDeletion(
  { state, events }: SweepStores,
  { id, target }: OpenDeletion,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<void> {
  if (target.kind === "user") throw new TypeError("what a user has sent is swept by sweep-user.ts");
  if (target.kind === "project") {
    const rows = await events.deletion.deleteProject(target.projectId);
    if (rows > 0) await state.deletionWork.noteRows(id, rows);
  }
  while (target.kind !== "project") {
    signal?.throwIfAborted();
    const found = await events.deletion.listSelected(target, EVENTS_AT_ONCE);
    if (found.length === 0) break;
    await state.deletionWork.noteEvents(id, found);
    await events.deletion.deleteEvents(found);
  }
  while ((await state.deletionWork.purge(id, ROWS_AT_ONCE)) > 0) signal?.throwIfAborted();
}

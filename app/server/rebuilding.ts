import type { RebuildProgress } from "../domain/rebuild-progress.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { encodeLoggedMoves } from "../stores/events/row-log.ts";
import type { PayloadStore } from "../stores/payload-store.ts";

/** Null: all rows are there. */
export function rebuildProgress({ rebuild }: Pick<EventStore, "rebuild">): RebuildProgress | null {
  const state = rebuild.state();
  if (state === null) return null;
  const { files, fileIndex, offset, rows } = state;
  if (files === null) return { share: 0, rows };
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const done = files.slice(0, fileIndex).reduce((sum, { bytes }) => sum + bytes, 0) + offset;
  return { share: total === 0 ? 1 : Math.min(1, done / total), rows };
}

/** The event store as the digest sees it: the digest waits until all rows are back, then learns where to go on. */
export function openWhenRebuilt(events: EventStore) {
  const gate = Promise.withResolvers<void>();
  // Nobody may be waiting when the server stops.
  gate.promise.catch(() => undefined);
  if (events.rebuild.state() === null) gate.resolve();
  return {
    events: {
      async appliedSequence(journalId: string): Promise<number> {
        await gate.promise;
        return events.appliedSequence(journalId);
      },
      findExisting: events.findExisting,
      append: events.append,
    },
    open: () => gate.resolve(),
    close: () => gate.reject(new Error("the server stops before the event store is rebuilt")),
  };
}

/** The event store, whose rows move only after the row log says so. */
export function logMoves(events: EventStore, payloads: Pick<PayloadStore, "append">, now: () => number): EventStore {
  return {
    ...events,
    async moveEvents(moves) {
      if (moves.length === 0) return 0;
      const at = now();
      const entry = Promise.resolve(encodeLoggedMoves({ at, moves: [...moves] }));
      await payloads.append([], { receivedAt: at, signal: "errors", entry });
      return events.moveEvents(moves);
    },
  };
}

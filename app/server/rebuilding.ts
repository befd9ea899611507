import type { RebuildProgress } from "../domain/rebuild-progress.ts";
import type { AppliedAhead } from "../stores/events/event-log.ts";
import { isNotingLostRows } from "../stores/events/event-rebuild.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { encodeLoggedMoves } from "../stores/events/row-log.ts";
import type { PayloadStore } from "../stores/payload-store.ts";

/** Null: all rows are there. */
export function rebuildProgress({ rebuild }: Pick<EventStore, "rebuild">): RebuildProgress | null {
  const state = rebuild.state();
  if (state === null) return null;
  const { files, reserved, fileIndex, offset, rows } = state;
  const step = reserved === null ? "noting" : "restoring";
  if (files === null) return { step, share: 0, rows };
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  // Noted from the first on, restored from the last on.
  const read = reserved === null ? files.slice(0, fileIndex) : files.slice(fileIndex + 1);
  const done = read.reduce((sum, { bytes }) => sum + bytes, 0) + offset;
  return { step, share: total === 0 ? 1 : Math.min(1, done / total), rows };
}

/** The event store as the digest sees it: the digest waits until it is known which rows there were, then learns where to go on. */
export function openWhenNoted(events: EventStore) {
  const gate = Promise.withResolvers<void>();
  // Perhaps nobody waits when the server stops.
  gate.promise.catch(() => undefined);
  if (!isNotingLostRows(events)) gate.resolve();
  return {
    events: {
      async appliedSequence(journalId: string): Promise<number> {
        await gate.promise;
        return events.appliedSequence(journalId);
      },
      async appliedAhead(journalId: string): Promise<AppliedAhead> {
        await gate.promise;
        return events.appliedAhead(journalId);
      },
      findExisting: events.findExisting,
      append: events.append,
    },
    open: () => gate.resolve(),
    close: () => gate.reject(new Error("the server stops before it is known what the event store had")),
  };
}

/** The event store, which only moves rows after the row log has the move. */
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

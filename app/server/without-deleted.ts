import type { EventStore } from "../stores/events/event-store.ts";
import type { DeletionWork } from "../stores/state/deletion-store.ts";

/** The event store, for which an event that somebody has deleted came before as long as a file holds it: sent again, it is a duplicate. */
export function withoutDeleted(events: EventStore, deletions: Pick<DeletionWork, "findDeleted">): EventStore {
  return {
    ...events,
    async findExisting(keys) {
      const [existing, deleted] = await Promise.all([events.findExisting(keys), deletions.findDeleted(keys)]);
      for (const key of deleted) existing.add(key);
      return existing;
    },
  };
}

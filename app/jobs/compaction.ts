import type { EventStore } from "../stores/events/event-store.ts";
import type { Job } from "./runner.ts";

/** One step keeps a core busy for half a second. At 1,000 events a second, a step is due every minute. */
const EVERY_MS = 5_000;

/** With more records waiting, the digest needs the store for itself. Compaction waits for the end of the burst. */
const MAX_BACKLOG_RECORDS = 1_000;

/** Lets the event store cluster its rows by issue, one step at a time, while there is little else to do. */
export function createCompactionJob({
  events,
  backlog,
}: {
  events: Pick<EventStore, "settle">;
  backlog: () => { records: number };
}): Job {
  return {
    name: "compaction",
    everyMs: EVERY_MS,
    async run() {
      if (backlog().records > MAX_BACKLOG_RECORDS) return "idle";
      return (await events.settle()) ? "worked" : "idle";
    },
  };
}

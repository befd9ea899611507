import type { EventStore } from "../stores/events/event-store.ts";
import type { Job } from "./runner.ts";

const EVERY_MS = 2_000;
/** Pieces that are summed in one run. Twenty thousand spans a second make two pieces. */
const PIECES_AT_ONCE = 5;

/** Lets the event store sum the spans and logs that have come. */
export function createRollUpJob({ events, now }: { events: Pick<EventStore, "rollUp">; now: () => number }): Job {
  return {
    name: "roll-up",
    everyMs: EVERY_MS,
    async run(signal) {
      let pieces = 0;
      while (pieces < PIECES_AT_ONCE && !signal.aborted && (await events.rollUp(now()))) pieces++;
      return pieces > 0 ? "worked" : "idle";
    },
  };
}

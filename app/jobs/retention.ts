import { type Cutoffs, type StoredSignal, toCutoffs } from "../domain/stored-signal.ts";
import { DAY_MS, HOUR_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import type { PayloadStore } from "../stores/payload-store.ts";
import type { State } from "../stores/state/state.ts";
import { runDeletions } from "./run-deletions.ts";
import type { Job } from "./runner.ts";

/** Unknown item types and sessions expire within the day, so once a day would let them stay up to twice their time. */
const EVERY_MS = HOUR_MS;
/** Leaves the start to what cannot wait. */
const FIRST_AFTER_MS = 60_000;

/** In days. */
export interface Retention {
  /** The retention of counts. */
  days: number;
  signalDays: Readonly<Record<StoredSignal, number>>;
}

/** Deletes events, items, their payloads and counts that are older than their retention. */
export function createRetentionJob(
  stores: {
    state: Pick<State, "dropBefore">;
    events: Pick<EventStore, "dropBefore">;
    payloads: Pick<PayloadStore, "dropBefore">;
  },
  { retention, log, now }: { retention: Retention; log: Log; now: () => number },
): Job {
  return {
    name: "retention",
    everyMs: EVERY_MS,
    firstAfterMs: FIRST_AFTER_MS,
    async run(signal) {
      const at = now();
      const cutoffs: Cutoffs = toCutoffs((each) => at - retention.signalDays[each] * DAY_MS);
      return await runDeletions(
        {
          // Rows first: a row whose payload is gone shows less than it promises, a payload without its row is only waste.
          events: () => stores.events.dropBefore(cutoffs, at),
          payloadBytes: () => stores.payloads.dropBefore(cutoffs),
          counts: () => stores.state.dropBefore(at - retention.days * DAY_MS),
        },
        { signal, log },
      );
    },
  };
}

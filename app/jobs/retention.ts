import type { Retention } from "../domain/storage/retention.ts";
import { toCutoffs } from "../domain/stored-signal.ts";
import { DAY_MS, HOUR_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";
import type { State } from "../stores/state/state.ts";
import { type ExpiringStores, expire } from "./expire.ts";
import { runDeletions } from "./run-deletions.ts";
import type { Job } from "./runner.ts";

/** Unknown item types and sessions expire within a day. If the job ran once a day, they could stay twice as long. */
const EVERY_MS = HOUR_MS;
/** Not right after the start, when more urgent work is to be done. */
const FIRST_AFTER_MS = 60_000;

/** Deletes events, items, their payloads and counts that are older than their retention. */
export function createRetentionJob(
  stores: ExpiringStores & { state: Pick<State, "dropBefore"> },
  { retention, log, now }: { retention: Retention; log: Log; now: () => number },
): Job {
  return {
    name: "retention",
    everyMs: EVERY_MS,
    firstAfterMs: FIRST_AFTER_MS,
    async run(signal) {
      const at = now();
      const cutoffs = toCutoffs((each) => at - retention.signalDays[each] * DAY_MS);
      return await runDeletions(
        {
          ...expire(stores, { cutoffs, ageCutoffs: cutoffs, now: at }),
          counts: () => stores.state.dropBefore(at - retention.days * DAY_MS),
        },
        { signal, log },
      );
    },
  };
}

import { EXCHANGE_EVERY_MS, SILENT_AFTER_MS } from "../domain/uptime/uptime-location.ts";
import type { Log } from "../log.server.ts";
import type { State } from "../stores/state/state.ts";
import type { Job } from "./runner.ts";

interface WatchParts {
  state: Pick<State, "uptimeLocationWork">;
  now: () => number;
  log: Pick<Log, "warn">;
}

/**
 * Marks locations that have not been heard of for too long, so that their last checks decide nothing any more. After a start it first waits
 * as long as a location may be quiet, because no location could be heard while this server did not run.
 */
export function createWatchLocationsJob({ state, now, log }: WatchParts): Job {
  return {
    name: "watch-locations",
    everyMs: EXCHANGE_EVERY_MS,
    firstAfterMs: SILENT_AFTER_MS,
    async run() {
      const at = now();
      const silent = await state.uptimeLocationWork.markSilentLocations(at, at - SILENT_AFTER_MS);
      for (const location of silent) log.warn({ location }, "a location that checks addresses is not heard of");
      return silent.length > 0 ? "worked" : "idle";
    },
  };
}

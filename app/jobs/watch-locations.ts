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
 * Marks locations that nothing is heard of, so that what they saw last decides nothing any more. It begins as long after a start as a
 * location may be quiet: while this server did not run, none of them could be heard.
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

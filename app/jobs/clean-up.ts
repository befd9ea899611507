import { HOUR_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";
import { CHUNK_LIFE_MS, type ChunkStore } from "../stores/chunk-store.ts";
import type { PeopleStore } from "../stores/state/people-store.ts";
import { runDeletions } from "./run-deletions.ts";
import type { Job } from "./runner.ts";

const EVERY_MS = HOUR_MS;
/** Leaves the start to what cannot wait. */
const FIRST_AFTER_MS = 90_000;

/** Deletes upload chunks that no bundle was made of, and sessions that have ended. */
export function createCleanUpJob(
  stores: { state: { people: Pick<PeopleStore, "deleteExpiredSessions"> }; chunks: Pick<ChunkStore, "dropBefore"> },
  { log, now }: { log: Log; now: () => number },
): Job {
  return {
    name: "clean-up",
    everyMs: EVERY_MS,
    firstAfterMs: FIRST_AFTER_MS,
    run: (signal) =>
      runDeletions(
        {
          uploadChunks: () => stores.chunks.dropBefore(now() - CHUNK_LIFE_MS),
          sessions: () => stores.state.people.deleteExpiredSessions(now()),
        },
        { signal, log },
      ),
  };
}

import { AUDIT_KEPT_DAYS, MAX_AUDIT_ENTRIES } from "../domain/audit/audit-entry.ts";
import { DAY_MS, HOUR_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";
import { CHUNK_LIFE_MS, type ChunkStore } from "../stores/chunk-store.ts";
import type { AuditStore } from "../stores/state/audit-store.ts";
import type { ExpirationStore } from "../stores/state/expiration-store.ts";
import type { PeopleStore } from "../stores/state/people-store.ts";
import { runDeletions } from "./run-deletions.ts";
import type { Job } from "./runner.ts";

const EVERY_MS = HOUR_MS;
/** Not right after the start, when more urgent work is to be done. */
const FIRST_AFTER_MS = 90_000;

/** Deletes upload chunks that became no bundle, examples of filtered events, sessions that have ended, and old entries of the audit log. */
export function createCleanUpJob(
  stores: {
    state: {
      people: Pick<PeopleStore, "deleteExpiredSessions">;
      expirations: Pick<ExpirationStore, "dropOldExamples">;
      audit: Pick<AuditStore, "dropEntries">;
    };
    chunks: Pick<ChunkStore, "dropBefore">;
  },
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
          filteredExamples: () => stores.state.expirations.dropOldExamples(now()),
          sessions: () => stores.state.people.deleteExpiredSessions(now()),
          auditEntries: () => stores.state.audit.dropEntries(now() - AUDIT_KEPT_DAYS * DAY_MS, MAX_AUDIT_ENTRIES),
        },
        { signal, log },
      ),
  };
}

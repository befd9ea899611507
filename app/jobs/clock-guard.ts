import { HOUR_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";

/** A clock that is corrected step by step moves by less. */
const MAX_STEP_MS = HOUR_MS;
/** After a jump of the clock, nothing is deleted by its age for this time, so that somebody can set the clock right. */
const DISTRUSTED_MS = HOUR_MS;

/**
 * Tells whether the clock was set a short time ago. A clock that is wrongly days ahead would make everything look old.
 * @param now milliseconds since 1970
 * @param monotonic milliseconds of a clock that nobody can set
 * @returns whether nothing may be deleted by its age yet; ask every few minutes
 */
export function createClockGuard({
  now,
  monotonic,
  log,
}: {
  now: () => number;
  monotonic: () => number;
  log: Log;
}): () => boolean {
  let offset = now() - monotonic();
  let jumpedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const at = monotonic();
    const jumpMs = now() - at - offset;
    if (Math.abs(jumpMs) > MAX_STEP_MS) {
      log.warn({ jumpMs }, "the clock was set: nothing is deleted by its age within the next hour");
      jumpedAt = at;
    }
    offset += jumpMs;
    return at - jumpedAt < DISTRUSTED_MS;
  };
}

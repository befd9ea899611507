import { HOUR_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";

/** A clock that is set right, step by step, moves by less. */
const MAX_STEP_MS = HOUR_MS;
/** So long after a jump, nothing is deleted by its age: somebody may set the clock right. */
const DISTRUSTED_MS = HOUR_MS;

/**
 * Tells whether the clock was set lately. A clock that is days ahead by mistake would make everything look old.
 *
 * @param now milliseconds since 1970
 * @param monotonic milliseconds that only time passing moves
 * @returns whether what is old by the clock may not be deleted yet; to be asked every few minutes
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

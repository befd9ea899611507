import type { StoragePlan } from "../domain/storage/plan-storage.ts";
import { toCutoffs } from "../domain/stored-signal.ts";
import { DAY_MS, SECOND_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";
import { type ExpiringStores, expire } from "./expire.ts";
import { runDeletions } from "./run-deletions.ts";
import type { Job } from "./runner.ts";

const EVERY_MS = 20 * SECOND_MS;
const FIRST_AFTER_MS = 2_000;

/**
 * Keeps the data folder below its limit. It deletes the days that the plan names, so that the server never has to refuse data. If that is
 * not enough, it says so in the log.
 * @param measure measures the folder and makes the plan
 */
export function createMakeRoomJob(
  stores: ExpiringStores,
  { measure, log, now }: { measure: () => Promise<StoragePlan>; log: Log; now: () => number },
): Job {
  let hasWarned = false;
  return {
    name: "make-room",
    everyMs: EVERY_MS,
    firstAfterMs: FIRST_AFTER_MS,
    async run(signal) {
      const { due, dueCutoffs, ageCutoffs, isTooSmall, limitBytes, limitedBy, growthBytes } = await measure();
      if (isTooSmall && !hasWarned) {
        const raise = limitedBy === "setting" ? "Raise MAX_DISK_BYTES" : "Give the disk more room";
        log.warn(
          { limitBytes, growthBytes },
          `the data folder is too small for a day of what comes: what came today is never deleted for room, so events may be refused. ${raise}, or shorten SIGNAL_RETENTION_DAYS`,
        );
      }
      hasWarned = isTooSmall;
      if (due.length === 0) return "idle";
      const days = due.map(({ day, signal: of }) => `${of ?? "everything"} of ${toDate(day)}`);
      log.warn({ days, limitBytes }, "the data folder is nearly full: its oldest days are deleted");
      const ofAge = toCutoffs((each) => Math.min(dueCutoffs[each], ageCutoffs[each]));
      const steps = expire(stores, { cutoffs: dueCutoffs, ageCutoffs: ofAge, now: now() });
      const result = await runDeletions(steps, { signal, log });
      await measure();
      return result;
    },
  };
}

function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

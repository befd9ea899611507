import type { LiveFeed } from "../domain/live-message.ts";
import type { ArchiveStore } from "../stores/state/archive-store.ts";
import type { Job } from "./runner.ts";

/** People choose minutes. If no archive is due, a run costs one read. */
const EVERY_MS = 5_000;
/** Issues of one transaction: a few milliseconds, in which the digest waits for the state store. */
const ISSUES_AT_ONCE = 100;

/**
 * Brings archived issues back when their time is over. The store has the instant, so an issue that became due while no process ran comes
 * back after the next start. The job also gives the bounds of the day to issues that wait until they escalate.
 */
export function createEndArchivesJob(
  { archives, feed }: { archives: ArchiveStore; feed: Pick<LiveFeed, "publish"> },
  { now }: { now: () => number },
): Job {
  return {
    name: "end-archives",
    everyMs: EVERY_MS,
    async run(signal) {
      for (let isIdle = true; ; isIdle = false) {
        const renewed = await archives.renewBounds(now(), ISSUES_AT_ONCE);
        const { issues, hasMore } = await archives.endArchives(now(), ISSUES_AT_ONCE);
        if (issues.length > 0) {
          const changes = issues.map((issue) => ({ ...issue, transition: "regressed" as const, events: 0 }));
          feed.publish({ kind: "issues", at: now(), changes });
        }
        if (signal.aborted || !(hasMore || renewed === ISSUES_AT_ONCE))
          return isIdle && issues.length === 0 && renewed === 0 ? "idle" : "worked";
      }
    },
  };
}

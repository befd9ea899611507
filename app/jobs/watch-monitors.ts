import { MINUTE_MS, SECOND_MS } from "../domain/time.ts";
import type { JournalStats } from "../journal/journal.ts";
import type { Log } from "../log.server.ts";
import type { MonitorWatch } from "../stores/state/monitor-watch.ts";
import type { Job } from "./runner.ts";

/** Schedules are exact to the minute. If nothing is due, a run costs two reads. */
const EVERY_MS = 5_000;
const ALIVE_EVERY_MS = 20_000;
/** Environments of one transaction, for which the digest waits 10 to 20 ms. */
const ENVIRONMENTS_AT_ONCE = 50;
/** A request that came just now may not be in the journal yet. */
const ON_ITS_WAY_MS = 5 * SECOND_MS;

interface WatchParts {
  monitorWatch: MonitorWatch;
  journal: { stats(): Pick<JournalStats, "oldestWaitsSince"> };
  now: () => number;
  /** Milliseconds of a clock that nobody can set. */
  monotonic: () => number;
  log: Pick<Log, "warn">;
}

/**
 * Finds runs of monitors that did not begin or did not end in time. It looks only up to the time for which the digest has applied
 * everything that came, so a check-in that waits in the journal is not missed. A time in which this process did not run, or over which the
 * clock was set forward, is noted as a time without watch.
 */
export function createWatchMonitorsJob({ monitorWatch, journal, now, monotonic, log }: WatchParts): Job {
  let last = { at: now(), monotonic: monotonic() };
  let noted: typeof last | null = null;

  async function noteAlive(): Promise<void> {
    const at = now();
    const passed = monotonic();
    const jumpMs = at - last.at - (passed - last.monotonic);
    last = { at, monotonic: passed };
    const isJump = Math.abs(jumpMs) > MINUTE_MS;
    if (isJump) log.warn({ jumpMs }, "the clock was set: runs of monitors that were due meanwhile are unknown");
    const isDue = noted === null || Math.max(passed - noted.monotonic, at - noted.at) >= ALIVE_EVERY_MS;
    if (!isJump && !isDue) return;
    noted = last;
    const down = await monitorWatch.noteAlive(at, { isJump: jumpMs > MINUTE_MS });
    if (down !== null && !isJump)
      log.warn({ ...down }, "this server did not run for a while: runs that were due meanwhile are unknown");
    if (jumpMs < -MINUTE_MS) await monitorWatch.planAgain(at);
  }

  return {
    name: "watch-monitors",
    everyMs: EVERY_MS,
    async run(signal) {
      await noteAlive();
      const oldest = journal.stats().oldestWaitsSince ?? Number.POSITIVE_INFINITY;
      const asOf = Math.min(now() - ON_ITS_WAY_MS, oldest - 1);
      for (let isIdle = true; ; isIdle = false) {
        const count = await monitorWatch.watchMonitors(asOf, ENVIRONMENTS_AT_ONCE);
        if (count === 0) return isIdle ? "idle" : "worked";
        if (signal.aborted || count < ENVIRONMENTS_AT_ONCE) return "worked";
      }
    },
  };
}

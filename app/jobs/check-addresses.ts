import {
  UPTIME_LIMITS,
  type UptimeCheck,
  type UptimeMonitor,
  type UptimeSettings,
} from "../domain/uptime/uptime-monitor.ts";
import type { Journal } from "../journal/journal.ts";
import type { Log } from "../log.server.ts";
import type { State } from "../stores/state/state.ts";
import type { Job } from "./runner.ts";
import { writeCheckSpan } from "./write-check-span.ts";

const EVERY_MS = 1_000;
/** Checks under way at a time: most of them wait for somebody else's server. */
const MAX_UNDER_WAY = 50;
/** Longer than any check takes. If this process dies meanwhile, the address is asked again after it. */
const LEASE_MS = UPTIME_LIMITS.maxTimeoutMs + 30_000;

interface CheckParts {
  state: Pick<State, "uptimeWork">;
  journal: Pick<Journal, "append">;
  /** Null: the signal has ended it. */
  probe(settings: UptimeSettings, signal: AbortSignal): Promise<UptimeCheck | null>;
  now: () => number;
  log: Pick<Log, "error">;
}

/**
 * Asks the addresses that people want to be watched. A run begins the checks that are due and does not wait for them, so that a slow
 * server holds nobody else up. A time in which this job does not run has no checks, and is shown as unknown.
 */
export function createCheckAddressesJob({ state, journal, probe, now, log }: CheckParts): Job {
  let underWay = 0;

  async function check(monitor: UptimeMonitor, signal: AbortSignal): Promise<void> {
    underWay += 1;
    try {
      const seen = await probe(monitor.settings, signal);
      // At a stop the stores are about to close: the address is asked again at the next start.
      if (seen === null || signal.aborted) return;
      // First, so that each check of the list has its span. A process that dies in between asks again, by another trace.
      await writeCheckSpan(journal, { monitor, check: seen, location: null, now: now() });
      if (!signal.aborted) await state.uptimeWork.saveUptimeCheck(monitor, seen);
    } catch (error) {
      log.error({ err: error, monitor: monitor.id }, "a check of an address could not be saved");
    } finally {
      underWay -= 1;
    }
  }

  return {
    name: "check-addresses",
    everyMs: EVERY_MS,
    firstAfterMs: EVERY_MS,
    async run(signal) {
      const free = MAX_UNDER_WAY - underWay;
      if (free === 0) return "idle";
      const due = await state.uptimeWork.claimUptimeMonitors({ now: now(), limit: free, leaseMs: LEASE_MS });
      for (const monitor of due) void check(monitor, signal);
      return due.length > 0 ? "worked" : "idle";
    },
  };
}

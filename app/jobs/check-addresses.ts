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
/** The most checks at a time. Most of them wait for somebody else's server. */
const MAX_UNDER_WAY = 50;
/** Longer than any check takes. If this process dies during a check, the address is checked again after this time. */
const LEASE_MS = UPTIME_LIMITS.maxTimeoutMs + 30_000;

interface CheckParts {
  state: Pick<State, "uptimeWork">;
  journal: Pick<Journal, "append">;
  /** Null: the signal ended the check. */
  probe(settings: UptimeSettings, signal: AbortSignal): Promise<UptimeCheck | null>;
  now: () => number;
  log: Pick<Log, "error">;
}

/**
 * Checks the addresses that uptime monitors watch. A run begins the checks that are due and does not wait for them, so a slow server delays
 * no other check. While this job does not run there are no checks, and the time is shown as unknown.
 */
export function createCheckAddressesJob({ state, journal, probe, now, log }: CheckParts): Job {
  let underWay = 0;

  async function check(monitor: UptimeMonitor, signal: AbortSignal): Promise<void> {
    underWay += 1;
    try {
      const seen = await probe(monitor.settings, signal);
      // When the server stops, the stores are about to close. The address is checked again after the next start.
      if (seen === null || signal.aborted) return;
      // The span is written before the check, so that each check in the list has its span. If the process dies in between, the address is
      // checked again with another trace.
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

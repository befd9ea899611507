import { DAY_MS } from "../time.ts";
import { nameTarget, type UptimeMonitor, type UptimeOutage } from "./uptime-monitor.ts";

/** A page of one project that anybody with its address may see. */
export interface StatusPage {
  projectId: number;
  /** The end of its address. */
  slug: string;
  title: string;
  /** Uptime monitors of the project, in the order of the page. */
  monitorIds: readonly number[];
  /** Whether strangers see the address, and not only the name. */
  showsAddresses: boolean;
}

export const STATUS_PAGE_LIMITS = { titleChars: 100, monitors: 30, days: 90, outages: 10 } as const;

/** Lower case letters, digits and hyphens: it is part of an address that people may read out. */
export const STATUS_SLUG = /^[a-z0-9](?:[a-z0-9-]{1,61})[a-z0-9]$/;

/** Checks of a day (UTC). A day without checks has none. */
export interface UptimeDay {
  /** Whole days since 1970. */
  day: number;
  checks: number;
  failed: number;
}

/** `unknown`: nothing was asked for a while, as before the first check, or because nobody asks any more. */
export type PublicState = "up" | "down" | "unknown";

/**
 * The facts of a monitor that people without an account see. They contain no reason of a failure, because that may name something
 * internal.
 */
export interface PublicMonitor {
  name: string;
  /** Null: it is not shown. */
  address: string | null;
  state: PublicState;
  /** The days of the page, oldest first. Null: nothing was checked. */
  days: Array<{ at: number; availability: number | null }>;
  availability: number | null;
  /** Outages of the shown days, newest first. */
  outages: Array<{ startedAt: number; endedAt: number | null }>;
}

/** Missed checks after which the last one says nothing of now. */
const STALE_CHECKS = 3;
const STALE_AFTER_MS = 5 * 60_000;

/** The monitor as the status page shows it at `now`. */
export function toPublicMonitor(
  monitor: UptimeMonitor,
  {
    days,
    outages,
    showsAddresses,
    now,
  }: { days: readonly UptimeDay[]; outages: readonly UptimeOutage[]; showsAddresses: boolean; now: number },
): PublicMonitor {
  const firstDay = firstDayOf(now);
  const known = new Map(days.filter(({ day }) => day >= firstDay).map((each) => [each.day, each]));
  const since = firstDay * DAY_MS;
  return {
    name: monitor.settings.name,
    address: showsAddresses ? toPublicAddress(monitor) : null,
    state: toPublicState(monitor, now),
    days: Array.from({ length: STATUS_PAGE_LIMITS.days }, (_, index) => {
      const own = known.get(firstDay + index);
      return { at: (firstDay + index) * DAY_MS, availability: own ? toAvailability([own]) : null };
    }),
    availability: toAvailability([...known.values()]),
    outages: outages
      .filter(({ endedAt }) => endedAt === null || endedAt >= since)
      .slice(0, STATUS_PAGE_LIMITS.outages)
      .map(({ startedAt, endedAt }) => ({ startedAt, endedAt })),
  };
}

/** The oldest day of a page at `now`. */
export function firstDayOf(now: number): number {
  return Math.floor(now / DAY_MS) - STATUS_PAGE_LIMITS.days + 1;
}

/** A single failed check is not confirmed yet: until then, the state stays as it was. */
function toPublicState({ isPaused, settings, state }: UptimeMonitor, now: number): PublicState {
  if (isPaused || state.lastCheckAt === null || state.status === "unknown") return "unknown";
  const staleAfterMs = Math.max(STALE_AFTER_MS, settings.intervalSeconds * 1_000 * STALE_CHECKS);
  if (now - state.lastCheckAt > staleAfterMs) return "unknown";
  return state.status === "down" ? "down" : "up";
}

/** The address up to its path: what comes after may be a key. */
function toPublicAddress({ settings: { target } }: UptimeMonitor): string {
  return nameTarget(target).replace(/[?#].*$/s, "");
}

/** The share of checks that went well. Null: there was no check. */
export function toAvailability(days: ReadonlyArray<Pick<UptimeDay, "checks" | "failed">>): number | null {
  const checks = days.reduce((sum, each) => sum + each.checks, 0);
  const failed = days.reduce((sum, each) => sum + each.failed, 0);
  return checks === 0 ? null : (checks - failed) / checks;
}

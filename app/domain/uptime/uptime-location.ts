import type { DownAt } from "./down-at.ts";
import type { UptimePlaceState, UptimeSettings, UptimeStatus } from "./uptime-monitor.ts";

/** A second Culprit process that checks addresses from elsewhere. It shows a token of its own to this server. */
export interface UptimeLocation {
  id: number;
  name: string;
  /** The last characters of its token. Null: the token was revoked, and there is no new one yet. */
  tokenHint: string | null;
  createdAt: number;
  /** Null: it was never heard of. */
  lastSeenAt: number | null;
  /** Since when it has not responded. Null: it responds. */
  silentSince: number | null;
  /** Version of the Culprit that runs there. */
  version: string | null;
}

export const LOCATION_LIMITS = {
  locations: 10,
  nameChars: 60,
  /** Results in one request. */
  results: 200,
  reasonChars: 500,
  versionChars: 40,
  /** The highest age of a check that a location reports, in milliseconds. An older one is of no use. */
  maxAgeMs: 15 * 60_000,
  /**
   * The least time between two checks of one address by one location. A check that comes sooner is ignored. It is shorter than the
   * pause before a failure is confirmed.
   */
  minGapMs: 5_000,
} as const;

/** How often a location asks for its list of checks. This also shows that it is alive. */
export const EXCHANGE_EVERY_MS = 10_000;
/** A location counts as silent after this time: nine requests in a row have not come. */
export const SILENT_AFTER_MS = 90_000;

/** This server, among the places that check. */
export const HERE = 0;
export const HERE_NAME = "This server";

/** The ids of the places that check it, this server first. */
export function listPlaces({ isCheckedHere, locationIds }: UptimeSettings): number[] {
  return isCheckedHere ? [HERE, ...locationIds] : [...locationIds];
}

/** How many of `count` places must find an address down. Never more than `count`: otherwise it could never be down. */
export function toNeeded(downAt: DownAt, count: number): number {
  if (downAt === "all") return Math.max(1, count);
  if (downAt === "most") return Math.floor(count / 2) + 1;
  return Math.max(1, Math.min(downAt, count));
}

export interface Verdict {
  status: Exclude<UptimeStatus, "unknown">;
  /** When the last of the needed places began to find it down. Null: the address is not down. */
  downSince: number | null;
  /** The places that find it down. */
  failing: UptimePlaceState[];
  /** The number of places that count. */
  heard: number;
}

/**
 * Decides whether an address is down, from what its places found. A silent location is left out, because it says nothing. A place that
 * has not checked yet counts, but has not found it down. Null: no place has checked.
 */
export function judgePlaces(
  settings: UptimeSettings,
  places: readonly UptimePlaceState[],
  silent: ReadonlySet<number>,
): Verdict | null {
  const heard = listPlaces(settings).filter((id) => !silent.has(id));
  const known = places.filter(({ locationId }) => heard.includes(locationId));
  if (known.length === 0) return null;
  const needed = toNeeded(settings.downAt, heard.length);
  const down = known.filter(({ status }) => status === "down").sort((a, b) => a.since - b.since);
  const unwell = known.filter(({ status }) => status !== "up").length;
  const decisive = down[needed - 1];
  return {
    status: decisive ? "down" : unwell >= needed ? "confirming" : "up",
    downSince: decisive?.since ?? null,
    failing: down,
    heard: heard.length,
  };
}

/** When an address counts as down, as a sentence. */
export function sayDownAt(settings: UptimeSettings): string {
  const count = listPlaces(settings).length;
  if (count === 1) return "It is down when its place finds it down twice in a row.";
  const needed = toNeeded(settings.downAt, count);
  const many =
    settings.downAt === "most"
      ? `more than half of its ${count} places (${needed}) find`
      : needed === count
        ? `all of its ${count} places find`
        : needed === 1
          ? `any of its ${count} places finds`
          : `at least ${needed} of its ${count} places find`;
  return `It is down when ${many} it down, each twice in a row. Locations that are not heard of are left out.`;
}

import { MONITOR_DEFAULTS, type MonitorConfig, type Run } from "../monitor.ts";
import { MINUTE_MS } from "../time.ts";
import { nextDue, previousDue } from "./schedule.ts";

/** The pings of a monitor come at the right time of another zone. */
export interface ZoneMismatch {
  /** Minutes between the due time and the ping. Negative: the pings come earlier. */
  offsetMinutes: number;
  pingCount: number;
  /** The newest ping, and the due time that is nearest to it. */
  pingAt: number;
  dueAt: number;
  /** A time zone in which all of these pings would have been on time. */
  timezone: string;
}

/** The number of pings that must have the same offset. */
const MIN_PINGS = 3;
const MAX_PINGS = 10;
const QUARTER_MS = 15 * MINUTE_MS;
const MAX_OFFSET_MS = 14 * 60 * MINUTE_MS;
/** Crontabs and the way to Culprit are not more exact. */
const MIN_TOLERANCE_MS = 5 * MINUTE_MS;

/**
 * Finds out whether a job runs in another time zone than its monitor says. Its newest pings must all have the same offset from their
 * due times, in whole quarters of an hour. And there must be a zone in which all of them would have been on time.
 * @param runs newest first
 * @param zones the zones to try first, like the reader's
 */
export function findZoneMismatch(
  config: MonitorConfig | null,
  runs: readonly Run[],
  zones: readonly string[],
): ZoneMismatch | null {
  if (config === null || config.schedule.type !== "crontab") return null;
  const pings = runs.filter(
    ({ status, checkInId }) => status !== "missed" && (status !== "unknown" || checkInId !== null),
  );
  const newest = pings.slice(0, MAX_PINGS);
  if (newest.length < MIN_PINGS || newest.slice(0, MIN_PINGS).some((run) => run.dueAt !== null && !run.isLate))
    return null;
  const toleranceMs = Math.max(MIN_TOLERANCE_MS, (config.checkinMargin ?? 0) * MINUTE_MS);
  const offsets = newest.map(({ startedAt }) => findOffset(config, startedAt));
  const first = offsets[0];
  if (first === undefined || first === null) return null;
  const offsetMs = Math.round((startOf(newest) - first) / QUARTER_MS) * QUARTER_MS;
  if (offsetMs === 0 || Math.abs(offsetMs) > MAX_OFFSET_MS) return null;
  const agreeing = newest.filter((run, index) => {
    const dueAt = offsets[index] ?? null;
    return dueAt !== null && Math.abs(run.startedAt - dueAt - offsetMs) <= Math.min(toleranceMs, QUARTER_MS / 2);
  });
  if (agreeing.length < MIN_PINGS || agreeing.length < newest.length) return null;
  const wantedMinutes =
    zoneOffset(config.timezone ?? MONITOR_DEFAULTS.timezone, startOf(newest)) - offsetMs / MINUTE_MS;
  const timezone = [...zones, "UTC", ...Intl.supportedValuesOf("timeZone")].find(
    (zone) =>
      zone !== config.timezone &&
      zoneOffset(zone, startOf(newest)) === wantedMinutes &&
      agreeing.every(({ startedAt }) => {
        const dueAt = findOffset({ ...config, timezone: zone }, startedAt);
        return dueAt !== null && Math.abs(startedAt - dueAt) <= toleranceMs;
      }),
  );
  if (timezone === undefined) return null;
  return {
    offsetMinutes: offsetMs / MINUTE_MS,
    pingCount: agreeing.length,
    pingAt: startOf(newest),
    dueAt: first,
    timezone,
  };
}

function startOf(runs: readonly Run[]): number {
  return runs[0]?.startedAt ?? 0;
}

/** The due time that is nearest to an instant. */
function findOffset(config: MonitorConfig, at: number): number | null {
  const before = previousDue(config, at);
  const after = nextDue(config, at);
  if (before === null || after === null) return before ?? after;
  return at - before <= after - at ? before : after;
}

/** Minutes by which the clocks of a zone are ahead of UTC. NaN: the zone does not exist. */
export function zoneOffset(timeZone: string, at: number): number {
  try {
    const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }).formatToParts(at);
    const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours = "0", minutes = "0"] = /^GMT(?:([+-])(\d{2}):(\d{2}))?$/.exec(name) ?? [];
    return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  } catch {
    return Number.NaN;
  }
}

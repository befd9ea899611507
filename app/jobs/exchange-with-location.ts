import { createHash } from "node:crypto";
import type { LocationOrders, LocationReport, LocationTask } from "../domain/uptime/location-exchange.ts";
import { LOCATION_LIMITS } from "../domain/uptime/uptime-location.ts";
import type { Journal } from "../journal/journal.ts";
import type { Log } from "../log.server.ts";
import type { State } from "../stores/state/state.ts";
import type { MonitorOfLocation } from "../stores/state/uptime-location-store.ts";
import { writeCheckSpan } from "./write-check-span.ts";

interface ExchangeParts {
  state: Pick<State, "uptimeLocationWork">;
  journal: Pick<Journal, "append">;
  now: () => number;
  log: Pick<Log, "info">;
}

/**
 * Takes the results of a location and answers what it has to check. A result that comes twice counts once: the location sends it again if
 * the answer was lost. Null: no location has this token.
 */
export async function exchangeWithLocation(
  { state, journal, now, log }: ExchangeParts,
  tokenId: number,
  report: LocationReport,
): Promise<LocationOrders | null> {
  const { uptimeLocationWork } = state;
  const location = await uptimeLocationWork.findLocationOfToken(tokenId);
  if (location === null) return null;
  const at = now();
  // This comes first, because the results of a location count as soon as it is heard of again.
  const wasSilent = await uptimeLocationWork.noteLocationSeen(location.id, { now: at, version: report.version });
  if (wasSilent) log.info({ location: location.name }, "a location that checks addresses is heard of");
  const monitors = await uptimeLocationWork.listMonitorsOf(location.id);
  const known = new Map(monitors.map((each) => [each.monitor.id, each]));
  let taken = 0;
  for (const { monitorId, settingsKey, ageMs, ...seen } of report.results) {
    const asked = known.get(monitorId);
    if (asked?.settingsKey !== settingsKey || ageMs > LOCATION_LIMITS.maxAgeMs) continue;
    const check = { ...seen, at: Math.round(at - ageMs) };
    if (!(await uptimeLocationWork.saveLocationCheck(location.id, { monitorId, settingsKey, check }))) continue;
    taken += 1;
    // The span is written after the check, so that a check that comes twice has one span.
    await writeCheckSpan(journal, { monitor: asked.monitor, check, location: location.name, now: at });
  }
  const tasks = monitors.map(toTask);
  const listKey = createHash("sha256").update(JSON.stringify(tasks)).digest("base64url");
  return {
    location: location.name,
    listKey,
    monitors: listKey === report.listKey ? null : tasks,
    taken,
    ignored: report.results.length - taken,
  };
}

function toTask({ monitor: { id, settings }, settingsKey }: MonitorOfLocation): LocationTask {
  const { target, timeoutMs, assertions, intervalSeconds } = settings;
  return { monitorId: id, settingsKey, target, timeoutMs, assertions, intervalSeconds };
}

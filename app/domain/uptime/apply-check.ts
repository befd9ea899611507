import type { Finding } from "../findings/finding.ts";
import { toMonitorTags } from "../findings/monitor-tags.ts";
import { DAY_MS } from "../time.ts";
import { CHECK_OP, toCheckSpanId } from "./check-span.ts";
import { HERE, HERE_NAME, judgePlaces, listPlaces, type Verdict } from "./uptime-location.ts";
import {
  nameTarget,
  type UptimeCheck,
  type UptimeMonitor,
  type UptimeOutage,
  type UptimePlaceState,
  type UptimeSettings,
  type UptimeState,
} from "./uptime-monitor.ts";

/** After a failed check, a second one decides whether the address is down. Milliseconds between the two, enough to restart a process. */
const CONFIRM_AFTER_MS = 10_000;

/** What a check changes. */
export interface AppliedCheck {
  state: UptimeState;
  /** False: this place alone failed, so that it says nothing of the address. */
  isCounted: boolean;
  /** When the place that made this check should check again. */
  nextCheckAt: number;
  /** An outage that begins with this check; it is dated back to the first of the two. */
  opened: UptimeOutage | null;
  /** When the open outage ended. Null: it did not. */
  closedAt: number | null;
  findings: Finding[];
}

/** The place that made a check, and what is known about the other places. */
export interface CheckedFrom {
  locationId: number;
  /** Locations that nothing is heard of. */
  silent: ReadonlySet<number>;
  /** Names of locations by id. */
  names: ReadonlyMap<number, string>;
}

/** Decides what one check means. Pure: the store saves the answer in one transaction. */
export function applyCheck(monitor: UptimeMonitor, check: UptimeCheck, from: CheckedFrom): AppliedCheck {
  const { state, settings } = monitor;
  const place = toPlaceState(state, check, from.locationId);
  const places = withPlace(state.places, place).filter(({ locationId }) => listPlaces(settings).includes(locationId));
  // A place that checks is not silent.
  const silent = new Set([...from.silent].filter((id) => id !== from.locationId));
  const verdict = judgePlaces(settings, places, silent);
  const status = verdict?.status ?? state.status;
  const isNewlyDown = status === "down" && state.status !== "down";
  const hasRecovered = status !== "down" && state.status === "down";
  const reason = status === "up" ? null : (check.reason ?? verdict?.failing.at(-1)?.lastReason ?? state.lastReason);
  const certificate = judgeCertificate(monitor, check);
  const findings: Finding[] = [...certificate.findings];
  if (isUnwatched(state))
    findings.push({
      kind: "recovery",
      projectId: monitor.projectId,
      subject: toUnwatchedSubject(monitor.id),
      at: check.at,
      reason: "it is checked again",
    });
  if (isNewlyDown) findings.push(toTrouble(monitor, { check, reason, verdict, names: from.names }));
  if (hasRecovered) {
    const downMs = check.at - (state.since ?? check.at);
    findings.push({
      kind: "recovery",
      projectId: monitor.projectId,
      subject: toSubject(monitor.id),
      at: check.at,
      reason: `it answers again after ${sayMinutes(downMs)}`,
    });
  }
  // The time to confirm counts as down once it is.
  const since = isNewlyDown ? (verdict?.downSince ?? check.at) : status === state.status ? state.since : check.at;
  return {
    state: {
      status,
      since,
      lastCheckAt: Math.max(check.at, state.lastCheckAt ?? 0),
      lastReason: reason,
      lastDurationMs: check.durationMs,
      certificateEndsAt: check.certificateEndsAt ?? state.certificateEndsAt,
      certificateToldOf: certificate.toldOf,
      places,
    },
    isCounted: check.reason === null || status !== "up",
    nextCheckAt: check.at + toPauseMs(place.status, settings),
    opened: isNewlyDown ? { startedAt: since ?? check.at, endedAt: null, reason: reason ?? "" } : null,
    closedAt: hasRecovered ? check.at : null,
    findings,
  };
}

/** Milliseconds that a place waits after a check. */
export function toPauseMs(
  status: UptimePlaceState["status"],
  { intervalSeconds }: Pick<UptimeSettings, "intervalSeconds">,
): number {
  return status === "confirming" ? CONFIRM_AFTER_MS : intervalSeconds * 1_000;
}

/** The status of a place after one more check. */
export function toNextStatus(
  known: UptimePlaceState["status"] | null,
  reason: string | null,
): UptimePlaceState["status"] {
  if (reason === null) return "up";
  return known === "confirming" || known === "down" ? "down" : "confirming";
}

function toPlaceState({ places }: UptimeState, check: UptimeCheck, locationId: number): UptimePlaceState {
  const known = places.find((each) => each.locationId === locationId);
  const status = toNextStatus(known?.status ?? null, check.reason);
  const goesOn = known !== undefined && (status === known.status || status === "down");
  return {
    locationId,
    status,
    since: goesOn ? known.since : check.at,
    lastCheckAt: check.at,
    lastReason: check.reason,
    lastDurationMs: check.durationMs,
  };
}

function withPlace(places: readonly UptimePlaceState[], place: UptimePlaceState): UptimePlaceState[] {
  return places.some(({ locationId }) => locationId === place.locationId)
    ? places.map((each) => (each.locationId === place.locationId ? place : each))
    : [...places, place];
}

/** The issue of an address that is down. */
export function toSubject(monitorId: number): string {
  return `uptime ${monitorId}`;
}

/** The issue of an address that nobody checks, because its locations are not heard of. */
export function toUnwatchedSubject(monitorId: number): string {
  return `unwatched ${monitorId}`;
}

/** Whether it was checked before, but no longer is: `toUnwatched` was told. */
export function isUnwatched({ status, lastCheckAt }: UptimeState): boolean {
  return status === "unknown" && lastCheckAt !== null;
}

/** The finding for an address that only locations check, when none of them responds. */
export function toUnwatched(monitor: UptimeMonitor, at: number, names: CheckedFrom["names"]): Finding {
  const { settings, projectId, id } = monitor;
  const places = settings.locationIds.map((each) => names.get(each) ?? `location ${each}`);
  return {
    kind: "trouble",
    projectId,
    subject: toUnwatchedSubject(id),
    at,
    logger: "culprit.uptime",
    level: "warning",
    message: `Nobody checks ${settings.name}: ${places.join(" and ")} ${places.length === 1 ? "is" : "are"} not heard of`,
    environment: settings.environment,
    release: null,
    tags: toMonitorTags({ kind: "uptime", id, name: settings.name }),
    contexts: { uptime: { address: nameTarget(settings.target), locations: places.join(", ") } },
  };
}

/** The issue of a certificate that ends soon. */
export function toCertificateSubject(monitorId: number): string {
  return `certificate ${monitorId}`;
}

function toTrouble(
  monitor: UptimeMonitor,
  {
    check,
    reason,
    verdict,
    names,
  }: { check: UptimeCheck; reason: string | null; verdict: Verdict | null; names: CheckedFrom["names"] },
): Finding {
  const { settings, projectId, state } = monitor;
  const failing = verdict?.failing ?? [];
  const nameOf = (id: number) => (id === HERE ? HERE_NAME : (names.get(id) ?? `location ${id}`));
  return {
    kind: "trouble",
    projectId,
    subject: toSubject(monitor.id),
    at: check.at,
    logger: "culprit.uptime",
    level: "error",
    message: `${settings.name} is down: ${reason}`,
    environment: settings.environment,
    release: null,
    tags: toMonitorTags({ kind: "uptime", id: monitor.id, name: settings.name }),
    contexts: {
      uptime: {
        address: nameTarget(settings.target),
        reason,
        first_reason: state.lastReason,
        status: check.httpStatus,
        took_ms: Math.round(check.durationMs),
        checked: `every ${settings.intervalSeconds} s, and again after ${CONFIRM_AFTER_MS / 1_000} s`,
        ...(settings.locationIds.length > 0 && {
          places: `${failing.length} of ${verdict?.heard ?? 0} find it down: ${failing.map((each) => nameOf(each.locationId)).join(", ")}`,
        }),
      },
      trace: { trace_id: check.traceId, span_id: toCheckSpanId(check.traceId), op: CHECK_OP },
    },
  };
}

function judgeCertificate(monitor: UptimeMonitor, check: UptimeCheck): { findings: Finding[]; toldOf: number | null } {
  const { settings, state, projectId } = monitor;
  const endsAt = check.certificateEndsAt;
  if (endsAt === null) return { findings: [], toldOf: state.certificateToldOf };
  const daysLeft = Math.floor((endsAt - check.at) / DAY_MS);
  const isShort = settings.certificateDays !== null && daysLeft < settings.certificateDays;
  const subject = toCertificateSubject(monitor.id);
  if (!isShort) {
    if (state.certificateToldOf === null) return { findings: [], toldOf: null };
    const reason = `the certificate holds for ${daysLeft} days`;
    return { findings: [{ kind: "recovery", projectId, subject, at: check.at, reason }], toldOf: null };
  }
  if (state.certificateToldOf === endsAt) return { findings: [], toldOf: endsAt };
  const ends = new Date(endsAt).toISOString().slice(0, 10);
  const finding: Finding = {
    kind: "trouble",
    projectId,
    subject,
    at: check.at,
    logger: "culprit.uptime",
    level: "warning",
    message: `The certificate of ${settings.name} ends on ${ends}`,
    environment: settings.environment,
    release: null,
    tags: toMonitorTags({ kind: "certificate", id: monitor.id, name: settings.name }),
    contexts: { certificate: { address: nameTarget(settings.target), ends, days_left: daysLeft } },
  };
  return { findings: [finding], toldOf: endsAt };
}

function sayMinutes(milliseconds: number): string {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

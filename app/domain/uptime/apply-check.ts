import type { Finding } from "../findings/finding.ts";
import { toMonitorTags } from "../findings/monitor-tags.ts";
import { DAY_MS } from "../time.ts";
import { CHECK_OP, toCheckSpanId } from "./check-span.ts";
import {
  nameTarget,
  type UptimeCheck,
  type UptimeMonitor,
  type UptimeOutage,
  type UptimeState,
} from "./uptime-monitor.ts";

/** After a check that failed, a second one decides whether it is down. Long enough for a restart of a process. */
export const CONFIRM_AFTER_MS = 10_000;

/** What a check changes. */
export interface AppliedCheck {
  state: UptimeState;
  nextCheckAt: number;
  /** An outage that begins with this check; it is dated back to the first of the two. */
  opened: UptimeOutage | null;
  /** When the open outage ended; null: it did not. */
  closedAt: number | null;
  findings: Finding[];
}

/** Decides what one check means. Pure: the store saves the answer in one transaction. */
export function applyCheck(monitor: UptimeMonitor, check: UptimeCheck): AppliedCheck {
  const { state, settings } = monitor;
  const isWell = check.reason === null;
  const status = isWell ? "up" : state.status === "confirming" || state.status === "down" ? "down" : "confirming";
  const hasFailedTwice = status === "down" && state.status !== "down";
  const hasRecovered = isWell && state.status === "down";
  const certificate = judgeCertificate(monitor, check);
  const findings: Finding[] = [...certificate.findings];
  if (hasFailedTwice) findings.push(toTrouble(monitor, check));
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
  const since = status === state.status || hasFailedTwice ? state.since : check.at;
  return {
    state: {
      status,
      since,
      lastCheckAt: check.at,
      lastReason: check.reason,
      lastDurationMs: check.durationMs,
      certificateEndsAt: check.certificateEndsAt ?? state.certificateEndsAt,
      certificateToldOf: certificate.toldOf,
    },
    nextCheckAt: check.at + (status === "confirming" ? CONFIRM_AFTER_MS : settings.intervalSeconds * 1_000),
    opened: hasFailedTwice ? { startedAt: since ?? check.at, endedAt: null, reason: check.reason ?? "" } : null,
    closedAt: hasRecovered ? check.at : null,
    findings,
  };
}

/** The issue of an address that is down. */
export function toSubject(monitorId: number): string {
  return `uptime ${monitorId}`;
}

/** The issue of a certificate that ends soon. */
export function toCertificateSubject(monitorId: number): string {
  return `certificate ${monitorId}`;
}

function toTrouble(monitor: UptimeMonitor, check: UptimeCheck): Finding {
  const { settings, projectId, state } = monitor;
  return {
    kind: "trouble",
    projectId,
    subject: toSubject(monitor.id),
    at: check.at,
    logger: "culprit.uptime",
    level: "error",
    message: `${settings.name} is down: ${check.reason}`,
    environment: settings.environment,
    release: null,
    tags: toMonitorTags({ kind: "uptime", id: monitor.id, name: settings.name }),
    contexts: {
      uptime: {
        address: nameTarget(settings.target),
        reason: check.reason,
        first_reason: state.lastReason,
        status: check.httpStatus,
        took_ms: Math.round(check.durationMs),
        checked: `every ${settings.intervalSeconds} s, and again after ${CONFIRM_AFTER_MS / 1_000} s`,
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

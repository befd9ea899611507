import { nameTarget, type UptimeCheck, type UptimeMonitor, type UptimeTarget } from "./uptime-monitor.ts";

/** The op of checks, to search by and to leave them out by. */
export const CHECK_OP = "uptime.check";
/** The service that checks have in a trace. */
const SERVICE = "Culprit uptime";

/** The id of a check's span. The request continues this span, because its headers contain both ids. */
export function toCheckSpanId(traceId: string): string {
  return traceId.slice(0, 16);
}

/**
 * The span of a check as SDKs send spans in a container (form v2). It is the root of its trace and no transaction, so that the sums of the
 * project's own transactions stay as they are.
 */
export function toCheckSpan(
  { id, settings }: UptimeMonitor,
  check: UptimeCheck,
  /** The name of the location that made it. Null: this server did. */
  location: string | null,
): Record<string, unknown> {
  const { target, name, environment } = settings;
  const attributes: Record<string, string | number | null> = {
    "sentry.op": CHECK_OP,
    "sentry.environment": environment,
    "service.name": SERVICE,
    ...toTargetAttributes(target),
    "http.response.status_code": check.httpStatus,
    "uptime.monitor.id": id,
    "uptime.monitor.name": name,
    "uptime.reason": check.reason,
    "uptime.location": location,
  };
  return {
    trace_id: check.traceId,
    span_id: toCheckSpanId(check.traceId),
    name: nameSpan(target),
    kind: "client",
    status: check.reason === null ? "ok" : "error",
    is_segment: false,
    start_timestamp: check.at / 1_000,
    end_timestamp: (check.at + check.durationMs) / 1_000,
    attributes: Object.fromEntries(
      Object.entries(attributes).flatMap(([key, value]) =>
        value === null ? [] : [[key, { type: typeof value === "number" ? "integer" : "string", value }]],
      ),
    ),
  };
}

function toTargetAttributes(target: UptimeTarget): Record<string, string | number> {
  if (target.kind === "tcp") return { "server.address": target.host, "server.port": target.port };
  return { "http.request.method": target.method, "url.full": target.url };
}

/** The query is left out: it is among the attributes. */
function nameSpan(target: UptimeTarget): string {
  const address = nameTarget(target);
  return target.kind === "tcp" ? `TCP ${address}` : `${target.method} ${address.replace(/[?#].*$/s, "")}`;
}

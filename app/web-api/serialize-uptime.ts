import { z } from "zod";
import { formatAssertion } from "../domain/uptime/assertion.ts";
import { HERE, listPlaces, type UptimeLocation } from "../domain/uptime/uptime-location.ts";
import { nameTarget, type PlacedCheck, UPTIME_METHODS, type UptimeMonitor } from "../domain/uptime/uptime-monitor.ts";

/** An uptime monitor with Sentry's names. `assertions`, `certificateDays` and the results of the checks exist only in Culprit. */
export const uptimeAnswer = z.object({
  id: z.string(),
  projectSlug: z.string(),
  name: z.string(),
  url: z.string().describe("or a host and its port: `db.example.com:5432`"),
  method: z.enum(UPTIME_METHODS).nullable().describe("null: of a host and port"),
  headers: z
    .array(z.tuple([z.string(), z.string()]))
    .nullable()
    .describe("null: the caller may not change the project"),
  body: z.string().nullable().describe("null: the caller may not change the project"),
  environment: z.string().nullable(),
  intervalSeconds: z.int(),
  timeoutMs: z.int(),
  status: z.enum(["active", "disabled"]),
  assertions: z.array(z.string()),
  certificateDays: z.int().nullable().describe("null: nobody is told that the certificate ends"),
  locations: z.array(z.string()).describe("who checks it: `here`, and names of locations"),
  downAt: z.union([z.enum(["most", "all"]), z.int()]).describe("how many of them must find it down"),
  places: z
    .array(
      z.object({
        location: z.string(),
        status: z.enum(["unknown", "up", "confirming", "down"]).describe("unknown: silent, or not checked yet"),
        lastCheck: z.iso.datetime().nullable(),
        lastReason: z.string().nullable(),
        lastDurationMs: z.int().nullable(),
      }),
    )
    .describe("what each of them has seen"),
  uptimeStatus: z.enum(["unknown", "up", "confirming", "down"]),
  since: z.iso.datetime().nullable(),
  lastCheck: z.iso.datetime().nullable(),
  lastReason: z.string().nullable().describe("why the last check failed; null: it did not"),
  lastDurationMs: z.int().nullable(),
  certificateEnds: z.iso.datetime().nullable(),
});

export type UptimeAnswer = z.infer<typeof uptimeAnswer>;

/** `mayChange`: whether the caller may read headers and bodies, which may hold secrets. */
export function serializeUptime(
  { id, settings, state, isPaused }: UptimeMonitor,
  {
    projectSlug,
    mayChange,
    locations,
  }: { projectSlug: string; mayChange: boolean; locations: readonly UptimeLocation[] },
): UptimeAnswer {
  const { target } = settings;
  const nameOf = (id: number) => nameLocation(id, locations);
  const http = target.kind === "http" ? target : null;
  return {
    id: String(id),
    projectSlug,
    name: settings.name,
    url: nameTarget(target),
    method: http?.method ?? null,
    headers: mayChange ? (http?.headers ?? []).map(([name, value]): [string, string] => [name, value]) : null,
    body: mayChange ? (http?.body ?? "") : null,
    environment: settings.environment,
    intervalSeconds: settings.intervalSeconds,
    timeoutMs: settings.timeoutMs,
    status: isPaused ? "disabled" : "active",
    assertions: settings.assertions.map(formatAssertion),
    certificateDays: settings.certificateDays,
    locations: listPlaces(settings).map(nameOf),
    downAt: settings.downAt,
    places: listPlaces(settings).map((locationId) => {
      const seen = state.places.find((each) => each.locationId === locationId);
      const isSilent = (locations.find(({ id }) => id === locationId)?.silentSince ?? null) !== null;
      return {
        location: nameOf(locationId),
        status: seen === undefined || isSilent ? ("unknown" as const) : seen.status,
        lastCheck: toIso(seen?.lastCheckAt ?? null),
        lastReason: seen?.lastReason ?? null,
        lastDurationMs: toWhole(seen?.lastDurationMs ?? null),
      };
    }),
    uptimeStatus: state.status,
    since: toIso(state.since),
    lastCheck: toIso(state.lastCheckAt),
    lastReason: state.lastReason,
    lastDurationMs: toWhole(state.lastDurationMs),
    certificateEnds: toIso(state.certificateEndsAt),
  };
}

function toWhole(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.round(milliseconds);
}

function toIso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

export const uptimeCheckAnswer = z.object({
  uptimeCheckId: z.string().describe("its trace"),
  timestamp: z.iso.datetime(),
  checkStatus: z.enum(["success", "failure"]),
  checkStatusReason: z.string().nullable(),
  httpStatusCode: z.int().nullable(),
  durationMs: z.int(),
  traceId: z.string(),
  region: z.string().describe("the place that made it"),
});

export function serializeUptimeCheck(
  { at, durationMs, reason, httpStatus, traceId, locationId }: PlacedCheck,
  locations: readonly UptimeLocation[],
): z.infer<typeof uptimeCheckAnswer> {
  return {
    uptimeCheckId: traceId,
    timestamp: new Date(at).toISOString(),
    checkStatus: reason === null ? "success" : "failure",
    checkStatusReason: reason,
    httpStatusCode: httpStatus,
    durationMs: Math.round(durationMs),
    traceId,
    region: nameLocation(locationId, locations),
  };
}

function nameLocation(id: number, locations: readonly UptimeLocation[]): string {
  return id === HERE ? "here" : (locations.find((each) => each.id === id)?.name ?? `location ${id}`);
}

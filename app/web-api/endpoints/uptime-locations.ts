import { z } from "zod";
import { LOCATION_LIMITS, type UptimeLocation } from "../../domain/uptime/uptime-location.ts";
import { UPTIME_LIMITS } from "../../domain/uptime/uptime-monitor.ts";
import { createLocation, deleteLocation, type LocationResult } from "../../features/uptime/change-locations.server.ts";
import { answer, nothing, refusal } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";

const LOCATIONS = "/organizations/{organization}/uptime-locations/";

const location = z.object({
  id: z.string(),
  name: z.string(),
  dateCreated: z.iso.datetime(),
  lastSeen: z.iso.datetime().nullable().describe("null: it was never heard of"),
  status: z.enum(["active", "silent"]).describe("silent: not heard of; what it saw last decides nothing"),
  version: z.string().nullable(),
});
const made = location.extend({ token: z.string().describe("shown this once") });

const result = z.object({
  monitorId: z.int(),
  settingsKey: z.string().max(64),
  ageMs: z.number().min(0).describe("how long ago the check began"),
  durationMs: z
    .number()
    .min(0)
    .max(2 * UPTIME_LIMITS.maxTimeoutMs),
  reason: z.string().min(1).max(LOCATION_LIMITS.reasonChars).nullable().describe("why it failed; null: all was well"),
  httpStatus: z.int().min(100).max(999).nullable(),
  certificateEndsAt: z.int().min(0).max(8_640_000_000_000_000).nullable(),
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
});

const report = z.object({
  listKey: z.string().max(64).nullable().describe("of the list that the location has; null: it has none"),
  version: z.string().max(LOCATION_LIMITS.versionChars).nullable(),
  results: z.array(result).max(LOCATION_LIMITS.results).describe("in the order in which they were made"),
});

const orders = z.object({
  location: z.string(),
  listKey: z.string(),
  monitors: z
    .array(z.record(z.string(), z.unknown()))
    .nullable()
    .describe("what to check and how, with headers and bodies; null: the list is the one that the location has"),
  taken: z.int(),
  ignored: z.int().describe("known already, too close to the one before, too old, or not asked for any more"),
});

export const UPTIME_LOCATION_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: LOCATIONS,
    scopes: ["org:read"],
    summary: "Further Culprit processes that check addresses from elsewhere.",
    answers: { 200: { what: "Locations, by name", json: z.array(location) } },
    async handle({ workspace }) {
      return answer((await workspace.state.uptimeLocations.listUptimeLocations()).map(toJson));
    },
  }),
  endpoint({
    method: "POST",
    path: LOCATIONS,
    scopes: ["org:write"],
    summary: "Adds a location. Its token is in this answer alone.",
    body: { json: z.object({ name: z.string() }) },
    answers: { 201: { what: "The location with its token", json: made } },
    async handle({ workspace, caller, body, baseUrl, now }) {
      // Every token belongs to a person, and is counted for them.
      if (caller.user === null) throw refusal(403, "An organization's token stands for nobody: use a personal one.");
      const asked = { viewer: caller.user, rootUrl: new URL(baseUrl).origin, now };
      const created = await createLocation(workspace, body.name, asked);
      if (!created.ok) throw refuse(created);
      const found = (await workspace.state.uptimeLocations.listUptimeLocations()).find(
        ({ id }) => id === created.locationId,
      );
      if (!found) throw refusal(404, "The requested location does not exist");
      return answer({ ...toJson(found), token: created.made?.secret }, { status: 201 });
    },
  }),
  endpoint({
    method: "DELETE",
    path: `${LOCATIONS}{location}/`,
    scopes: ["org:write"],
    summary:
      "Deletes a location with what it has seen, and revokes its token. Refused while something is checked from nowhere else.",
    answers: { 204: { what: "Deleted", json: null } },
    async handle({ workspace, params, now }) {
      const id = /^\d{1,15}$/.test(params.location) ? Number(params.location) : 0;
      const deleted = await deleteLocation(workspace, id, now);
      if (!deleted.ok) throw refuse(deleted);
      return nothing();
    },
  }),
  endpoint({
    method: "POST",
    path: "/organizations/{organization}/uptime-location-checks/",
    scopes: ["uptime:check"],
    summary:
      "For locations: takes what they saw, and gives what there is to check. A result that is told twice counts once.",
    body: { json: report },
    answers: { 200: { what: "What to check", json: orders } },
    async handle({ workspace, caller, body }) {
      const given = caller.tokenId === null ? null : await workspace.exchangeWithLocation(caller.tokenId, body);
      if (given === null)
        throw refusal(404, "This is not the token of a location: make one under Settings, Locations.");
      return answer(given);
    },
  }),
];

function toJson({ id, name, createdAt, lastSeenAt, silentSince, version }: UptimeLocation): z.input<typeof location> {
  return {
    id: String(id),
    name,
    dateCreated: new Date(createdAt).toISOString(),
    lastSeen: lastSeenAt === null ? null : new Date(lastSeenAt).toISOString(),
    status: silentSince === null ? "active" : "silent",
    version,
  };
}

function refuse(result: LocationResult): Response {
  if (result.ok) return refusal(404, "The requested location does not exist");
  return refusal(result.status, result.field === "name" ? `name: ${result.message}` : result.message);
}

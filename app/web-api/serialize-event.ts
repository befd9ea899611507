import { z } from "zod";
import type { User } from "../domain/event.ts";
import type { StoredEvent } from "../domain/stored-event.ts";
import type { EventNeighbours, EventRow } from "../stores/events/error-events.ts";
import { serializeEntries } from "./serialize-entries.ts";
import { id, instant } from "./shapes.ts";

export const eventId = z.string().regex(/^[0-9a-f]{32}$/);
const text = z.string().nullable();

export const eventRowAnswer = z.object({
  id: eventId,
  eventID: eventId,
  "event.type": z.string(),
  groupID: id,
  projectID: id,
  project: z.int(),
  title: z.string(),
  message: z.string(),
  culprit: text,
  location: text,
  platform: z.string(),
  type: z.string(),
  dateCreated: instant,
  dateReceived: instant,
  size: z.int(),
  user: z.object({ id: text, email: text, username: text, ip_address: text }).nullable(),
  tags: z.array(z.object({ key: z.string(), value: z.string() })),
});

export const eventAnswer = eventRowAnswer.extend({
  metadata: z.looseObject({}),
  logger: text,
  level: z.string(),
  release: z.object({ version: z.string() }).nullable(),
  dist: text,
  environment: text,
  user: z.looseObject({}).nullable(),
  contexts: z.looseObject({}),
  context: z.looseObject({}),
  packages: z.looseObject({}),
  sdk: z.object({ name: text, version: text }).nullable(),
  entries: z.array(z.object({ type: z.string(), data: z.unknown() })),
  errors: z.array(z.unknown()),
  fingerprints: z.array(z.string()),
  _meta: z.looseObject({}),
  grouping: z.looseObject({}).nullable(),
  nextEventID: eventId.nullable(),
  previousEventID: eventId.nullable(),
});

/** An event in a list, without its payload. */
export function serializeEventRow(row: EventRow, options: { culprit: string | null }): z.input<typeof eventRowAnswer> {
  return {
    id: row.eventId,
    eventID: row.eventId,
    "event.type": "error",
    groupID: String(row.issueId),
    projectID: String(row.projectId),
    // A number, unlike all other ids: sentry-cli refuses a text here.
    project: row.projectId,
    title: row.title,
    message: row.title,
    culprit: options.culprit,
    location: row.transaction,
    platform: row.platform,
    type: "error",
    dateCreated: new Date(row.occurredAt).toISOString(),
    dateReceived: new Date(row.receivedAt).toISOString(),
    size: row.payloadBytes,
    user: serializeUserKey(row.userKey),
    tags: row.tags.map(([key, value]) => ({ key, value })),
  };
}

/** One event with its payload. Its interfaces are Sentry's `entries`. */
export function serializeEvent(
  row: EventRow,
  stored: StoredEvent,
  neighbours: EventNeighbours | null,
): z.input<typeof eventAnswer> {
  const { event, grouping } = stored;
  const exception = event.exception?.values.at(-1);
  const message = event.logentry?.formatted ?? event.logentry?.message ?? "";
  return {
    ...serializeEventRow(row, { culprit: event.transaction ?? null }),
    type: event.type,
    message,
    metadata: exception ? { type: exception.type ?? null, value: exception.value ?? null } : { title: row.title },
    logger: event.logger ?? null,
    level: event.level,
    release: event.release ? { version: event.release } : null,
    dist: event.dist ?? null,
    environment: event.environment ?? null,
    user: event.user ? serializeUser(event.user) : null,
    contexts: event.contexts ?? {},
    context: event.extra ?? {},
    packages: event.modules ?? {},
    sdk: event.sdk ? { name: event.sdk.name ?? null, version: event.sdk.version ?? null } : null,
    entries: serializeEntries(event),
    errors: event.errors ?? [],
    fingerprints: grouping ? [grouping.hash] : [],
    _meta: event._meta ?? {},
    grouping: grouping && { ...grouping },
    nextEventID: neighbours?.nextEventId ?? null,
    previousEventID: neighbours?.previousEventId ?? null,
  };
}

function serializeUser(user: User) {
  return {
    id: user.id ?? null,
    email: user.email ?? null,
    username: user.username ?? null,
    name: user.name ?? null,
    ip_address: user.ip_address ?? null,
    geo: user.geo ?? null,
    data: user.data ?? {},
  };
}

function serializeUserKey(userKey: string | null) {
  if (userKey === null) return null;
  const at = userKey.indexOf(":");
  const kind = userKey.slice(0, at);
  const value = userKey.slice(at + 1);
  return {
    id: kind === "id" ? value : null,
    email: kind === "email" ? value : null,
    username: kind === "username" ? value : null,
    ip_address: kind === "ip" ? value : null,
  };
}

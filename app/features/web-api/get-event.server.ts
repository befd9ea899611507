import type { StoredEvent } from "../../domain/stored-event.ts";
import type { Engine } from "../../engine/engine.ts";
import type { EventRow } from "../../stores/event-store.ts";
import type { Organization } from "../../stores/state/people-store.ts";
import { toEventId } from "../events/event-id.ts";
import { readStoredEvents } from "../events/read-stored-events.server.ts";
import { symbolicateStoredEvent } from "../events/symbolicate-stored-event.server.ts";
import { refusal } from "./answers.server.ts";
import { serializeEvent, serializeEventRow } from "./serialize-event.ts";

interface EventAddress {
  projectId: number;
  /** Null: any issue of the project. */
  issueId: number | null;
  /** 32 hex digits, with dashes or without; within an issue also `latest` and `oldest`. */
  eventId: string;
}

/** @throws a 404 answer, with another text while the event waits for its digest or after retention took its payload. */
export async function requireStoredEvent(
  engine: Engine,
  address: EventAddress,
): Promise<{ row: EventRow; stored: StoredEvent }> {
  const row = await findRow(engine, address);
  if (!row) {
    const isPending = engine.isPending(toEventId(address.eventId) ?? "");
    throw refusal(
      404,
      isPending ? "The event was received and is being processed" : "The requested event does not exist",
    );
  }
  const payload = await engine.payloads.read(row.payload);
  if (!payload) throw refusal(404, "The payload of the event was dropped by retention");
  const stored = JSON.parse(Buffer.from(payload).toString("utf8")) as StoredEvent;
  return { row, stored: (await symbolicateStoredEvent(engine, row.projectId, stored)).stored };
}

export async function getEventForApi(engine: Engine, address: EventAddress) {
  const { row, stored } = await requireStoredEvent(engine, address);
  const neighbours = await engine.events.findNeighbours(
    { projectIds: [row.projectId], issueId: row.issueId, from: null, to: null },
    row.eventId,
  );
  return serializeEvent(row, stored, neighbours);
}

export async function resolveEventId(engine: Engine, organization: Organization, text: string) {
  const eventId = toEventId(text);
  const row = eventId === null ? null : await engine.events.getEvent(eventId, null);
  const project = row && (await engine.state.projects.getProject(row.projectId));
  if (!row || !project) throw refusal(404, "The requested event does not exist");
  return {
    organizationSlug: organization.slug,
    projectSlug: project.slug,
    groupId: String(row.issueId),
    eventId: row.eventId,
    event: serializeEventRow(row, { culprit: null }),
  };
}

async function findRow(engine: Engine, { projectId, issueId, eventId }: EventAddress): Promise<EventRow | null> {
  if (issueId !== null && (eventId === "latest" || eventId === "oldest" || eventId === "recommended")) {
    const edge = eventId === "oldest" ? "first" : "latest";
    const filter = { projectIds: [projectId], issueId, from: null, to: null };
    return readStoredEvents(
      engine,
      () => engine.events.findEdge(filter, edge),
      (row) => row === null,
    );
  }
  const id = toEventId(eventId);
  if (id === null) throw refusal(400, "an event id has 32 hexadecimal digits");
  const row = await engine.events.getEvent(id, [projectId]);
  return row && (issueId === null || row.issueId === issueId) ? row : null;
}

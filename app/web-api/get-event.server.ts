import type { Workspace } from "../access/workspace.ts";
import { narrowScope } from "../domain/scope.ts";
import type { StoredEvent } from "../domain/stored-event.ts";
import { toEventId } from "../features/events/event-id.ts";
import { readStoredEvents } from "../features/events/read-stored-events.server.ts";
import { symbolicateStoredEvent } from "../features/events/symbolicate-stored-event.server.ts";
import type { EventRow } from "../stores/events/error-events.ts";
import { refusal } from "./answers.ts";
import { serializeEvent } from "./serialize-event.ts";

interface EventAddress {
  projectId: number;
  /** Null: the event may be of any issue of the project. */
  issueId: number | null;
  /** 32 hex digits, with or without dashes. For an issue also `latest` and `oldest`. */
  eventId: string;
}

/** @throws a 404 answer. Its text says whether the event still waits for its digest, retention removed its payload, or the payload is damaged. */
export async function requireStoredEvent(
  workspace: Workspace,
  address: EventAddress,
): Promise<{ row: EventRow; stored: StoredEvent }> {
  const row = await requireEventRow(workspace, address);
  return { row, stored: await requireStored(workspace, row) };
}

async function requireStored(workspace: Workspace, row: EventRow): Promise<StoredEvent> {
  const stored = await workspace.payloads.readEvent(row.payload);
  if (stored === null) {
    const isDamaged = await workspace.payloads.isEventDamaged(row.payload);
    throw refusal(
      404,
      isDamaged ? "The payload of the event is damaged" : "The payload of the event was dropped by retention",
    );
  }
  return (await symbolicateStoredEvent(workspace, row.projectId, stored)).stored;
}

/** @throws a 404 answer that says whether the event is still on its way. */
export async function requireEventRow(workspace: Workspace, address: EventAddress): Promise<EventRow> {
  const row = await findRow(workspace, address);
  if (row !== null) return row;
  const isPending = workspace.isPending(toEventId(address.eventId) ?? "");
  throw refusal(
    404,
    isPending ? "The event was received and is being processed" : "The requested event does not exist",
  );
}

/** One event with its payload. @throws as `requireStoredEvent`. */
export async function getEvent(workspace: Workspace, address: EventAddress) {
  const row = await requireEventRow(workspace, address);
  const { projectIds } = narrowScope(workspace.scope, [row.projectId]);
  const [stored, neighbours] = await Promise.all([
    requireStored(workspace, row),
    workspace.events.findNeighbours({ projectIds, issueId: row.issueId, from: null, to: null }, row.eventId),
  ]);
  return serializeEvent(row, stored, neighbours);
}

/** Whether the id is `latest` or `oldest`. */
export function isEdge(eventId: string): boolean {
  return eventId === "latest" || eventId === "oldest" || eventId === "recommended";
}

async function findRow(workspace: Workspace, { projectId, issueId, eventId }: EventAddress): Promise<EventRow | null> {
  if (issueId !== null && isEdge(eventId)) {
    const edge = eventId === "oldest" ? "first" : "latest";
    const filter = { projectIds: narrowScope(workspace.scope, [projectId]).projectIds, issueId, from: null, to: null };
    return readStoredEvents(
      workspace,
      () => workspace.events.findEdge(filter, edge),
      (row) => row === null,
    );
  }
  const id = toEventId(eventId);
  if (id === null) throw refusal(400, "an event id has 32 hexadecimal digits");
  const row = await workspace.events.getEvent(id, narrowScope(workspace.scope, [projectId]).projectIds);
  return row && (issueId === null || row.issueId === issueId) ? row : null;
}

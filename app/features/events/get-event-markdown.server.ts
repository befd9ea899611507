import type { Workspace } from "../../access/workspace.ts";
import type { StoredEvent } from "../../domain/stored-event.ts";
import type { EventRow } from "../../stores/events/error-events.ts";
import { toFactLines } from "../markdown/write-markdown.ts";
import { toEventId } from "./event-id.ts";
import { toEventMarkdown } from "./stack-text.ts";
import { symbolicateStoredEvent } from "./symbolicate-stored-event.server.ts";

/** An event as Markdown, mapped with the present source maps. `baseUrl` has no trailing slash. Null: the event is not stored. */
export async function getEventMarkdown(
  workspace: Workspace,
  { eventId, baseUrl }: { eventId: string; baseUrl: string },
): Promise<string | null> {
  const id = toEventId(eventId);
  const row = id === null ? null : await workspace.events.getEvent(id, workspace.scope.projectIds);
  if (!row) return null;
  const link = `${baseUrl}/issues/${row.issueId}/events/${row.eventId}`;
  const stored = await readStoredEvent(workspace, row);
  if (stored) return toEventMarkdown(stored.event, { title: row.title, link });
  return toRowMarkdown(row, { link, details: await sayWithoutDetails(workspace, row) });
}

/** The event, mapped with source maps that were uploaded since. Null: its details were deleted by retention, or are damaged. */
export async function readStoredEvent(workspace: Workspace, row: EventRow): Promise<StoredEvent | null> {
  const kept = await workspace.payloads.readEvent(row.payload);
  return kept && (await symbolicateStoredEvent(workspace, row.projectId, kept)).stored;
}

/** Says why an event has no details, in words that follow “are”. */
export async function sayWithoutDetails(workspace: Workspace, row: EventRow): Promise<string> {
  return (await workspace.payloads.isEventDamaged(row.payload)) ? "damaged" : "not stored any more";
}

function toRowMarkdown(row: EventRow, { link, details }: { link: string; details: string }): string {
  const facts = toFactLines([
    ["Event", row.eventId],
    ["Title", row.title],
    ["Time", new Date(row.occurredAt).toISOString()],
    ["Level", row.level],
    ["Environment", row.environment],
    ["Release", row.release],
  ]);
  return `${["# Event", "", `<${link}>`, "", ...facts, "", `The details of this event are ${details}.`].join("\n")}\n`;
}

import { workspaceContext } from "../../context.ts";
import { toEventId } from "../../features/events/event-id.ts";
import { symbolicateStoredEvent } from "../../features/events/symbolicate-stored-event.server.ts";
import type { Route } from "./+types/json.ts";

/** The stored event as a JSON document, mapped with everything that was uploaded since. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const eventId = toEventId(params.eventId);
  const row = eventId === null ? null : await workspace.events.getEvent(eventId, workspace.scope.projectIds);
  const kept = row && (await workspace.payloads.readEvent(row.payload));
  if (!row || !kept)
    return new Response("There is no such event.\n", {
      status: 404,
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
  const { stored } = await symbolicateStoredEvent(workspace, row.projectId, kept);
  return new Response(`${JSON.stringify(stored.event, null, 2)}\n`, {
    headers: {
      "content-type": "application/json",
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

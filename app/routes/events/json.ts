import { engineContext, viewerContext } from "../../context.ts";
import { requireViewer } from "../../features/auth/require-viewer.server.ts";
import { toEventId } from "../../features/events/event-id.ts";
import type { Route } from "./+types/json.ts";

/** The event as it is stored, as a JSON document. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireViewer(context.get(viewerContext), url);
  const engine = context.get(engineContext);
  const eventId = toEventId(params.eventId);
  const row = eventId === null ? null : await engine.events.getEvent(eventId, null);
  const payload = row && (await engine.payloads.read(row.payload));
  if (!payload)
    return new Response("There is no such event.\n", {
      status: 404,
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
  const { event } = JSON.parse(new TextDecoder().decode(payload)) as { event: unknown };
  return new Response(`${JSON.stringify(event, null, 2)}\n`, {
    headers: {
      "content-type": "application/json",
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

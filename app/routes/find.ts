import { workspaceContext } from "../context.ts";
import { findAnything } from "../features/frame/find-anything.server.ts";
import type { Route } from "./+types/find.ts";

/** Issues, releases and what an id names, as JSON for the command palette. A refusal is a status and not a redirect. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const text = url.searchParams.get("text") ?? "";
  const places = await findAnything(context.get(workspaceContext), text, url);
  return Response.json(places, { headers: { "cache-control": "private, no-store" } });
}

import { previewTyped } from "../../features/crons/schedule-words.server.ts";
import type { Route } from "./+types/preview.ts";

/** What a schedule means while somebody types it, as JSON. */
export function loader({ url }: Route.LoaderArgs) {
  return Response.json(previewTyped(url.searchParams, Date.now()), {
    headers: { "cache-control": "private, no-store" },
  });
}

import { previewTyped } from "../../features/crons/schedule-words.server.ts";
import type { Route } from "./+types/preview.ts";

/** What a schedule means that somebody types. */
export function loader({ url }: Route.LoaderArgs) {
  return previewTyped(url.searchParams, Date.now());
}

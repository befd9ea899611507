import { redirect } from "react-router";
import type { Route } from "./+types/find.ts";

/** Where the forms that ask for an event id lead. */
export function loader({ url }: Route.LoaderArgs) {
  const id = (url.searchParams.get("id") ?? "").trim();
  throw redirect(id === "" ? "/issues" : `/events/${encodeURIComponent(id)}`);
}

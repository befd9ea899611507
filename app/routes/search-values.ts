import { workspaceContext } from "../context.ts";
import { listReleaseValues } from "../features/issues/list-search-values.server.ts";
import type { Route } from "./+types/search-values.ts";

/** Suggested values of a search, as JSON. Refuses with a status rather than a redirect: no page is shown from here. */
export async function loader({ context, url }: Route.LoaderArgs) {
  if (url.searchParams.get("key") !== "release") return new Response("key must be release.", { status: 400 });
  const values = await listReleaseValues(context.get(workspaceContext), {
    text: url.searchParams.get("text") ?? "",
    slugs: url.searchParams.getAll("project").filter(Boolean).slice(0, 100),
  });
  return Response.json(values, { headers: { "cache-control": "private, max-age=30", vary: "cookie" } });
}

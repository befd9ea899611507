import { workspaceContext } from "../context.ts";
import { listSearchValues } from "../features/search/list-search-values.server.ts";
import { listSignalValues } from "../features/search/list-signal-values.server.ts";
import type { Route } from "./+types/search-values.ts";

/** Suggested keys and values for a search, as JSON. A refusal is a status and not a redirect, because no page is shown from here. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const asked = {
    key: url.searchParams.get("key") || null,
    text: url.searchParams.get("text") ?? "",
    slugs: url.searchParams.getAll("project").filter(Boolean).slice(0, 100),
    issueId: url.searchParams.get("issue"),
  };
  const workspace = context.get(workspaceContext);
  const signal = (["logs", "spans"] as const).find((name) => name === url.searchParams.get("about"));
  const values = signal
    ? await listSignalValues(workspace, { ...asked, signal, now: Date.now() })
    : await listSearchValues(workspace, asked);
  if (values === null) return new Response("There is no such issue.\n", { status: 404 });
  return Response.json(values, { headers: { "cache-control": "private, max-age=30", vary: "cookie" } });
}

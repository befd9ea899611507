import { workspaceContext } from "../../context.ts";
import { countViews } from "../../features/views/count-views.server.ts";
import { listViews } from "../../features/views/list-views.server.ts";
import { readViewedList } from "../../features/views/view-lists.server.ts";
import type { Route } from "./+types/counts.ts";

/**
 * How many items the views of a list find, as JSON by the ids of the views. A refusal is a status and not a redirect, because no page is
 * shown from here.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const list = readViewedList(url.searchParams.get("list"));
  if (list === null) return new Response("There is no such list.\n", { status: 404 });
  const workspace = context.get(workspaceContext);
  const views = (await listViews(workspace)).filter((view) => view.list === list);
  const counts = await countViews(workspace, { views, now: Date.now() });
  return Response.json(counts, { headers: { "cache-control": "private, max-age=30", vary: "cookie" } });
}

import { redirect } from "react-router";
import { entranceContext, viewerContext, workspaceContext } from "../context.ts";
import { toViewPath } from "../domain/saved-view.ts";
import { listViews } from "../features/views/list-views.server.ts";
import type { Route } from "./+types/home.ts";

export async function loader({ context }: Route.LoaderArgs) {
  if (!(await context.get(entranceContext).people.getOrganization())) throw redirect("/set-up");
  const views = context.get(viewerContext) ? await listViews(context.get(workspaceContext)) : [];
  const view = views.find(({ isDefault, list }) => isDefault && list === "issues");
  throw redirect(view ? toViewPath(view) : "/issues");
}

import { data, redirect } from "react-router";
import { viewerContext, workspaceContext } from "../context.ts";
import { requireViewer } from "../features/auth/require-viewer.server.ts";
import { fromSentryPath } from "../features/frame/from-sentry-path.ts";
import type { Route } from "./+types/sentry-path.ts";

/** Redirects links that Sentry's tools print, like `/organizations/<any>/issues/SHOP-1/`. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requireViewer(context.get(viewerContext), url);
  const { state, scope } = context.get(workspaceContext);
  const projects = await state.projects.listProjects(scope);
  const [, , , ...segments] = url.pathname.split("/");
  const path = fromSentryPath(segments.join("/"), url.searchParams, projects);
  if (path === null) throw data("There is no such page.", { status: 404 });
  throw redirect(path);
}

/** It is never drawn: an address without a page here gets the frame's error page. */
export default function SentryPath() {
  return null;
}

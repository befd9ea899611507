import { Outlet } from "react-router";
import { viewerContext, workspaceContext } from "../context.ts";
import { requireViewer } from "../features/auth/require-viewer.server.ts";
import { findDeliveryTrouble } from "../features/delivery/get-delivery-page.server.ts";
import { ErrorPage } from "../features/frame/error-page.tsx";
import { Frame } from "../features/frame/frame.tsx";
import { PlainFrame } from "../features/frame/plain-frame.tsx";
import { forgetIssueLists } from "../features/issues/remembered-lists.ts";
import { sayStorageNews } from "../features/storage/say-storage-news.ts";
import { listViews } from "../features/views/list-views.server.ts";
import { useFaultEventId } from "../sentry/fault-event-id.ts";
import type { Route } from "./+types/app-layout.ts";

export const middleware: Route.MiddlewareFunction[] = [
  ({ context, params, url }) => {
    // An unknown address is 404 for everybody.
    if (!("*" in params)) requireViewer(context.get(viewerContext), url);
  },
];

/** After an action, lists that were shown before it may be wrong. */
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  async ({ request }, next) => {
    await next();
    if (request.method !== "GET") forgetIssueLists();
  },
];

export async function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  if (!viewer) return null;
  const workspace = context.get(workspaceContext);
  const [projects, views] = await Promise.all([
    workspace.state.projects.listProjects(workspace.scope),
    listViews(workspace),
  ]);
  return {
    organization: workspace.organization.slug,
    viewer: { id: viewer.id, name: viewer.name, email: viewer.email },
    rights: workspace.scope.rights,
    projects: projects.map(({ slug, name }) => ({ slug, name })),
    views,
    rebuild: workspace.rebuild(),
    delivery: await findDeliveryTrouble(workspace),
    storage: sayStorageNews(workspace.storage.last(), Date.now()),
    backlog: { at: Date.now(), ...workspace.backlog() },
  };
}

export default function AppLayout({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <Outlet />;
  return (
    <Frame {...loaderData}>
      <Outlet />
    </Frame>
  );
}

/** An error on a page replaces the page; the frame stays. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const page = <ErrorPage error={error} eventId={useFaultEventId(error)} />;
  return loaderData ? <Frame {...loaderData}>{page}</Frame> : <PlainFrame>{page}</PlainFrame>;
}

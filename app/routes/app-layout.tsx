import { Outlet } from "react-router";
import { viewerContext, workspaceContext } from "../context.ts";
import { requireViewer } from "../features/auth/require-viewer.server.ts";
import { ErrorPage } from "../features/frame/error-page.tsx";
import { Frame } from "../features/frame/frame.tsx";
import { keepPageOfRefusedForm, keepPageOfRefusedReading } from "../features/frame/keep-page.ts";
import { loadFrame } from "../features/frame/load-frame.server.ts";
import { PlainFrame } from "../features/frame/plain-frame.tsx";
import { forgetIssueLists } from "../features/issues/remembered-lists.ts";
import { useFaultEventId } from "../sentry/fault-event-id.ts";
import type { Route } from "./+types/app-layout.ts";

export const middleware: Route.MiddlewareFunction[] = [
  ({ context, params, url }) => {
    // An unknown address is a 404 for everybody.
    if (!("*" in params)) requireViewer(context.get(viewerContext), url);
  },
];

/**
 * After an action, lists that were shown before may be wrong. A refused form or a refused reading leaves the page as it is, unless the
 * person goes to another page.
 */
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [
  async ({ request }, next) => {
    const router = window.__reactRouterDataRouter;
    const isInBackground = router?.state.navigation.state === "idle";
    const results = await next();
    if (request.method === "GET")
      return isInBackground ? keepPageOfRefusedReading(results, router.state.loaderData) : results;
    forgetIssueLists();
    return keepPageOfRefusedForm(results);
  },
];

export async function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  return viewer ? await loadFrame(context.get(workspaceContext), viewer) : null;
}

export default function AppLayout({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <Outlet />;
  return (
    <Frame {...loaderData}>
      <Outlet />
    </Frame>
  );
}

/** An error on a page replaces the page, and the frame stays. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const page = <ErrorPage error={error} eventId={useFaultEventId(error)} />;
  return loaderData ? <Frame {...loaderData}>{page}</Frame> : <PlainFrame>{page}</PlainFrame>;
}

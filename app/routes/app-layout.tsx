import { Outlet } from "react-router";
import { viewerContext, workspaceContext } from "../context.ts";
import { requireViewer } from "../features/auth/require-viewer.server.ts";
import { ErrorPage } from "../features/frame/error-page.tsx";
import { Frame } from "../features/frame/frame.tsx";
import { loadFrame } from "../features/frame/load-frame.server.ts";
import { PlainFrame } from "../features/frame/plain-frame.tsx";
import { useFaultEventId } from "../sentry/fault-event-id.ts";
import type { Route } from "./+types/app-layout.ts";

export const middleware: Route.MiddlewareFunction[] = [
  ({ context, params, url }) => {
    // An unknown address is a 404 for everybody.
    if (!("*" in params)) requireViewer(context.get(viewerContext), url);
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

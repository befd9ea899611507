import { viewerContext } from "../context.ts";
import { requireViewer } from "../features/auth/require-viewer.server.ts";
import type { Route } from "./+types/signed-in.ts";

/** Around what pages fetch and people download: a person is sent to sign in, a script is told so with a status. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, request, url }) => {
    if (request.headers.get("accept")?.includes("text/html")) requireViewer(context.get(viewerContext), url);
    else if (!context.get(viewerContext)) throw new Response("Sign in first.", { status: 401 });
  },
];

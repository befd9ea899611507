import { viewerContext } from "../context.ts";
import { requireViewer } from "../features/auth/require-viewer.server.ts";
import type { Route } from "./+types/signed-in.ts";

/** For data that pages fetch and for downloads. A person who is not signed in is sent to the sign-in; a script gets a status. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, request, url }) => {
    if (request.headers.get("accept")?.includes("text/html")) requireViewer(context.get(viewerContext), url);
    else if (!context.get(viewerContext)) throw new Response("Sign in first.", { status: 401 });
  },
];

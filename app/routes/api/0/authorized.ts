import { engineContext, viewerContext } from "../../../context.ts";
import { requireApiUser } from "../../../features/web-api/authorize.server.ts";
import type { Route } from "./+types/authorized.ts";

/** Every path of the web API needs a bearer token, or a signed-in person. */
export const middleware: Route.MiddlewareFunction[] = [
  async function authorizeApi({ context, request }) {
    const user = await requireApiUser(context.get(engineContext), request, context.get(viewerContext));
    context.set(viewerContext, user);
  },
];

import { apiCallerContext, engineContext, viewerContext } from "../../../context.ts";
import { refusal } from "../../../features/web-api/answers.server.ts";
import { requireApiCaller, requireScope } from "../../../features/web-api/authorize.server.ts";
import { findEndpoint } from "../../../features/web-api/endpoints.ts";
import type { Route } from "./+types/authorized.ts";

/** Every path of the web API asks for what its line in the table of endpoints says. */
export const middleware: Route.MiddlewareFunction[] = [
  async function authorizeApi({ context, request, url }) {
    const { endpoint, allowed } = findEndpoint(request.method, url.pathname.slice("/api/0".length));
    if (endpoint?.scopes === "public") return;
    const engine = context.get(engineContext);
    const caller = await requireApiCaller(engine, { request, viewer: context.get(viewerContext), now: Date.now() });
    context.set(viewerContext, caller.user);
    context.set(apiCallerContext, caller);
    if (endpoint) requireScope(caller, endpoint);
    else if (allowed.length > 0)
      throw refusal(405, `Method "${request.method}" not allowed.`, { allow: allowed.join(", ") });
    else throw refusal(404, "The requested resource does not exist");
  },
];

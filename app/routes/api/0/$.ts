import { clientAddressContext, entranceContext, viewerContext } from "../../../context.ts";
import { handleApiRequest } from "../../../web-api/handle-request.server.ts";
import type { Route } from "./+types/$.ts";

export function loader({ context, request, url }: Route.LoaderArgs): Promise<Response> {
  return handleApiRequest({
    entrance: context.get(entranceContext),
    viewer: context.get(viewerContext),
    clientAddress: context.get(clientAddressContext),
    request,
    url,
  });
}

export const action = loader;

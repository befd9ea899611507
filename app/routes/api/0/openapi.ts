import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { toOpenApi } from "../../../features/web-api/to-open-api.ts";
import type { Route } from "./+types/openapi.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  const { settings } = context.get(engineContext);
  return answer(toOpenApi({ version: settings.version, rootUrl: new URL(settings.publicUrl ?? url.origin).origin }));
}

import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { requireOrganization } from "../../../features/web-api/authorize.server.ts";
import { serializeOrganization } from "../../../features/web-api/serialize-project.ts";
import type { Route } from "./+types/organization.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  return answer(serializeOrganization(await requireOrganization(context.get(engineContext), params.org)));
}

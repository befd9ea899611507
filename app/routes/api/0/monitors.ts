import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { requireOrganization } from "../../../features/web-api/authorize.server.ts";
import type { Route } from "./+types/monitors.ts";

/** Check-ins are stored, and no monitor is made of them. */
export async function loader({ context, params }: Route.LoaderArgs) {
  await requireOrganization(context.get(engineContext), params.org);
  return answer([]);
}

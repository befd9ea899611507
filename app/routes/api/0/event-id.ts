import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { requireOrganization } from "../../../features/web-api/authorize.server.ts";
import { resolveEventId } from "../../../features/web-api/get-event.server.ts";
import type { Route } from "./+types/event-id.ts";

/** From an event id alone to its project and issue. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  const organization = await requireOrganization(engine, params.org);
  return answer(await resolveEventId(engine, organization, params.event));
}

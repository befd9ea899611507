import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { requireOrganization, requireProject } from "../../../features/web-api/authorize.server.ts";
import { requireStoredEvent } from "../../../features/web-api/get-event.server.ts";
import type { Route } from "./+types/project-event-json.ts";

/** The event as Culprit keeps it, in the names of the wire. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  const project = await requireProject(engine, params.project);
  const { stored } = await requireStoredEvent(engine, { projectId: project.id, issueId: null, eventId: params.event });
  return answer(stored.event);
}

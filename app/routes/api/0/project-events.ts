import { engineContext } from "../../../context.ts";
import { answer, linkHeader } from "../../../features/web-api/answers.server.ts";
import { requireOrganization, requireProject } from "../../../features/web-api/authorize.server.ts";
import { listEventsForApi } from "../../../features/web-api/list-events.server.ts";
import type { Route } from "./+types/project-events.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  const project = await requireProject(engine, params.project);
  const page = await listEventsForApi(engine, { filter: { projectIds: [project.id] }, url, now: Date.now() });
  return answer(page.events, {
    headers: { link: linkHeader(url, { previous: page.previousCursor, next: page.nextCursor }) },
  });
}

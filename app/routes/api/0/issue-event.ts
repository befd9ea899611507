import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { getEventForApi } from "../../../features/web-api/get-event.server.ts";
import { requireIssue } from "../../../features/web-api/get-issue.server.ts";
import type { Route } from "./+types/issue-event.ts";

/** `latest`, `oldest`, or an event id. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  const { issue, project } = await requireIssue(engine, params);
  return answer(await getEventForApi(engine, { projectId: project.id, issueId: issue.id, eventId: params.event }));
}

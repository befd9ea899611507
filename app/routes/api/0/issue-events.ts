import { engineContext } from "../../../context.ts";
import { answer, linkHeader } from "../../../features/web-api/answers.server.ts";
import { requireIssue } from "../../../features/web-api/get-issue.server.ts";
import { listEventsForApi } from "../../../features/web-api/list-events.server.ts";
import type { Route } from "./+types/issue-events.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  const { issue, project } = await requireIssue(engine, params);
  const page = await listEventsForApi(engine, {
    filter: { projectIds: [project.id], issueId: issue.id },
    url,
    now: Date.now(),
  });
  return answer(page.events, {
    headers: { link: linkHeader(url, { previous: page.previousCursor, next: page.nextCursor }) },
  });
}

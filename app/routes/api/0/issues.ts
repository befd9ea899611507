import { engineContext, viewerContext } from "../../../context.ts";
import { answer, linkHeader, refusal } from "../../../features/web-api/answers.server.ts";
import { requireOrganization, requireProject } from "../../../features/web-api/authorize.server.ts";
import { changeIssuesFromApi } from "../../../features/web-api/change-issues.server.ts";
import { listIssuesForApi } from "../../../features/web-api/list-issues.server.ts";
import type { Route } from "./+types/issues.ts";

/** `/organizations/:org/issues/` and `/projects/:org/:project/issues/`. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  const project = params.project === undefined ? null : await requireProject(engine, params.project);
  const page = await listIssuesForApi(engine, { project, url, now: Date.now() });
  return answer(page.issues, {
    headers: {
      link: linkHeader(url, { previous: page.previousCursor, next: page.nextCursor }),
      "x-hits": String(page.matchingCount),
    },
  });
}

export async function action({ context, params, request, url }: Route.ActionArgs) {
  if (request.method !== "PUT") return refusal(405, `Method "${request.method}" not allowed.`);
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  const project = params.project === undefined ? null : await requireProject(engine, params.project);
  const userId = context.get(viewerContext)?.id ?? null;
  return answer(await changeIssuesFromApi(engine, { project, url, request, userId, now: Date.now() }));
}

import { engineContext, viewerContext } from "../../../context.ts";
import { answer, refusal } from "../../../features/web-api/answers.server.ts";
import { changeIssueFromApi } from "../../../features/web-api/change-issues.server.ts";
import { getIssueForApi, requireIssue } from "../../../features/web-api/get-issue.server.ts";
import type { Route } from "./+types/issue.ts";

/** `/issues/:issue/` and `/organizations/:org/issues/:issue/`. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  return answer(await getIssueForApi(engine, await requireIssue(engine, params), { url, now: Date.now() }));
}

export async function action({ context, params, request, url }: Route.ActionArgs) {
  if (request.method !== "PUT") return refusal(405, `Method "${request.method}" not allowed.`);
  const engine = context.get(engineContext);
  const { issue } = await requireIssue(engine, params);
  const now = Date.now();
  await changeIssueFromApi(engine, { issue, request, userId: context.get(viewerContext)?.id ?? null, now });
  return answer(await getIssueForApi(engine, await requireIssue(engine, params), { url, now }));
}

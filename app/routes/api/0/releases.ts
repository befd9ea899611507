import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import {
  answerRelease,
  listReleasesForApi,
  requireReleaseScope,
  saveReleaseFromApi,
} from "../../../features/web-api/releases.server.ts";
import type { Route } from "./+types/releases.ts";

/** `/organizations/:org/releases/` and `/projects/:org/:project/releases/`. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  const { releases, link } = await listReleasesForApi(engine, await requireReleaseScope(engine, params), url);
  return answer(releases, { headers: { link } });
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const engine = context.get(engineContext);
  const scope = await requireReleaseScope(engine, params);
  const { release, isNew } = await saveReleaseFromApi(engine, scope, request, Date.now());
  return answer(await answerRelease(engine, release), { status: isNew ? 201 : 208 });
}

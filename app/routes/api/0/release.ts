import { engineContext } from "../../../context.ts";
import { answer, nothing } from "../../../features/web-api/answers.server.ts";
import {
  answerRelease,
  changeReleaseFromApi,
  deleteReleaseFromApi,
  requireRelease,
  requireReleaseScope,
} from "../../../features/web-api/releases.server.ts";
import type { Route } from "./+types/release.ts";

/** `/organizations/:org/releases/:version/` and `/projects/:org/:project/releases/:version/`. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  const release = await requireRelease(engine, params.version, await requireReleaseScope(engine, params));
  return answer(await answerRelease(engine, release));
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const engine = context.get(engineContext);
  const scope = await requireReleaseScope(engine, params);
  const release = await requireRelease(engine, params.version, scope);
  if (request.method === "DELETE") {
    await deleteReleaseFromApi(engine, release, scope);
    return nothing();
  }
  return answer(await answerRelease(engine, await changeReleaseFromApi(engine, release, request, Date.now())));
}

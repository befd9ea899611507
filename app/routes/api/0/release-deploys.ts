import { engineContext } from "../../../context.ts";
import { addDeployFromApi } from "../../../features/web-api/add-deploy.server.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { mapProjects, requireRelease, requireReleaseScope } from "../../../features/web-api/releases.server.ts";
import { serializeDeploy } from "../../../features/web-api/serialize-release.ts";
import type { Route } from "./+types/release-deploys.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  const release = await requireRelease(engine, params.version, await requireReleaseScope(engine, params));
  const [deploys, projects] = await Promise.all([
    engine.state.releases.listDeploys(release.version),
    mapProjects(engine),
  ]);
  return answer(deploys.map((deploy) => serializeDeploy(deploy, release, projects)));
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const engine = context.get(engineContext);
  const scope = await requireReleaseScope(engine, params);
  const release = await requireRelease(engine, params.version, scope);
  const deploy = await addDeployFromApi(engine, release, { scope, request, now: Date.now() });
  return answer(serializeDeploy(deploy, release, await mapProjects(engine)), { status: 201 });
}

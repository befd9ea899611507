import { engineContext } from "../../../context.ts";
import { addDeployFromApi } from "../../../features/web-api/add-deploy.server.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { requireRelease, requireReleaseScope } from "../../../features/web-api/releases.server.ts";
import { serializeDeploy } from "../../../features/web-api/serialize-release.ts";
import type { Route } from "./+types/release-deploys.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  const release = await requireRelease(engine, params.version, await requireReleaseScope(engine, params));
  return answer((await engine.state.listDeploys(release.version)).map(serializeDeploy));
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const engine = context.get(engineContext);
  const release = await requireRelease(engine, params.version, await requireReleaseScope(engine, params));
  const deploy = await addDeployFromApi(engine, release, request, Date.now());
  return answer(serializeDeploy(deploy), { status: 201 });
}

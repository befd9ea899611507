import { apiCallerContext, engineContext } from "../../../context.ts";
import { addReleaseFile } from "../../../features/web-api/add-release-file.server.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { listReleaseFilesForApi, serializeReleaseFile } from "../../../features/web-api/release-files.server.ts";
import { requireRelease, requireReleaseScope } from "../../../features/web-api/releases.server.ts";
import type { Route } from "./+types/release-files.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  const scope = await requireReleaseScope(engine, params);
  const release = await requireRelease(engine, params.version, scope);
  const { files, link } = await listReleaseFilesForApi(engine, release, scope, url);
  return answer(files, { headers: { link } });
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const engine = context.get(engineContext);
  const scope = await requireReleaseScope(engine, params);
  const release = await requireRelease(engine, params.version, scope);
  const uploadedBy = context.get(apiCallerContext).tokenName;
  const file = await addReleaseFile(engine, { release, scope, request, uploadedBy, at: Date.now() });
  return answer(serializeReleaseFile(file), { status: 201 });
}

import { engineContext } from "../../../context.ts";
import { answer, nothing } from "../../../features/web-api/answers.server.ts";
import { downloadReleaseFile } from "../../../features/web-api/download-release-file.server.ts";
import {
  deleteReleaseFile,
  requireReleaseFile,
  serializeReleaseFile,
} from "../../../features/web-api/release-files.server.ts";
import { requireRelease, requireReleaseScope } from "../../../features/web-api/releases.server.ts";
import type { Route } from "./+types/release-file.ts";

export async function loader({ context, params, request, url }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  const scope = await requireReleaseScope(engine, params);
  const release = await requireRelease(engine, params.version, scope);
  const file = await requireReleaseFile(engine, release, { scope, id: params.file });
  if (url.searchParams.get("download")) return downloadReleaseFile(engine, file, request.signal);
  return answer(serializeReleaseFile(file));
}

export async function action({ context, params }: Route.ActionArgs) {
  const engine = context.get(engineContext);
  const scope = await requireReleaseScope(engine, params);
  const release = await requireRelease(engine, params.version, scope);
  await deleteReleaseFile(engine, await requireReleaseFile(engine, release, { scope, id: params.file }));
  return nothing();
}

import { apiCallerContext, engineContext } from "../../../context.ts";
import { answer, refusal } from "../../../features/web-api/answers.server.ts";
import { assembleArtifactBundle } from "../../../features/web-api/assemble-artifact-bundle.server.ts";
import { requireNamedProjects, requireOrganization } from "../../../features/web-api/authorize.server.ts";
import { assembleArtifactBundleBody } from "../../../features/web-api/endpoints/upload-endpoints.ts";
import { readBody } from "../../../features/web-api/read-body.server.ts";
import type { Route } from "./+types/artifact-bundle-assemble.ts";

export async function action({ context, params, request }: Route.ActionArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  const body = await readBody(request, assembleArtifactBundleBody);
  const projects = await requireNamedProjects(engine, body.projects ?? []);
  if (projects.length === 0 && body.chunks.length > 0) throw refusal(400, "projects: name at least one project");
  const bundle = {
    checksum: body.checksum,
    chunks: body.chunks,
    projects,
    version: body.version ?? null,
    dist: body.dist || null,
    uploadedBy: context.get(apiCallerContext).tokenName,
    at: Date.now(),
  };
  return answer(await assembleArtifactBundle(engine, bundle, request.signal));
}

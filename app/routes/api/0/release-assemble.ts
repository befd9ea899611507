import { apiCallerContext, engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { assembleArtifactBundle } from "../../../features/web-api/assemble-artifact-bundle.server.ts";
import { requireNamedProjects, requireOrganization } from "../../../features/web-api/authorize.server.ts";
import { assembleReleaseBundleBody } from "../../../features/web-api/endpoints/upload-endpoints.ts";
import { readBody } from "../../../features/web-api/read-body.server.ts";
import { requireRelease } from "../../../features/web-api/releases.server.ts";
import type { Route } from "./+types/release-assemble.ts";

/** The bundle is for the projects of its release, unless it names others. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  const release = await requireRelease(engine, params.version, { project: null });
  const { checksum, chunks, projects } = await readBody(request, assembleReleaseBundleBody);
  const ids = release.projects.map(({ projectId }) => projectId);
  const bundle = {
    checksum,
    chunks,
    projects: await requireNamedProjects(engine, projects?.length ? projects : ids),
    version: release.version,
    dist: null,
    uploadedBy: context.get(apiCallerContext).tokenName,
    at: Date.now(),
  };
  return answer(await assembleArtifactBundle(engine, bundle, request.signal));
}

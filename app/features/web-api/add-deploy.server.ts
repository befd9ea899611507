import type { Deploy, Release } from "../../domain/release.ts";
import type { Engine } from "../../engine/engine.ts";
import { requireNamedProjects } from "./authorize.server.ts";
import { newDeployBody } from "./endpoints/release-endpoints.ts";
import { readBody } from "./read-body.server.ts";
import { type ReleaseScope, toInstant } from "./releases.server.ts";

/** A deploy without an end is over now. Projects that it names are the release's from then on. @throws a 400 answer that names the field. */
export async function addDeployFromApi(
  engine: Engine,
  release: Release,
  { scope: { project }, request, now }: { scope: ReleaseScope; request: Request; now: number },
): Promise<Deploy> {
  const body = await readBody(request, newDeployBody);
  const named = await requireNamedProjects(engine, body.projects ?? []);
  const projectIds = [...new Set([...named, ...(project ? [project] : [])].map(({ id }) => id))];
  if (projectIds.some((id) => !release.projects.some(({ projectId }) => projectId === id)))
    await engine.state.releases.saveRelease({ version: release.version, projectIds, at: now });
  return engine.state.releases.addDeploy(release.version, {
    projectIds: projectIds.length === 0 ? null : projectIds,
    environment: body.environment,
    name: body.name ?? null,
    url: body.url ?? null,
    startedAt: toInstant(body.dateStarted ?? null),
    finishedAt: toInstant(body.dateFinished ?? null) ?? now,
  });
}

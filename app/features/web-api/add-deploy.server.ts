import type { Deploy, Release } from "../../domain/release.ts";
import type { Engine } from "../../engine/engine.ts";
import { requireNamedProjects } from "./authorize.server.ts";
import { newDeployBody } from "./endpoints/release-endpoints.ts";
import { readBody } from "./read-body.server.ts";
import { toInstant } from "./releases.server.ts";

/** A deploy without an end is over now. @throws a 400 answer that names the field. */
export async function addDeployFromApi(
  engine: Engine,
  release: Release,
  request: Request,
  now: number,
): Promise<Deploy> {
  const body = await readBody(request, newDeployBody);
  await requireNamedProjects(engine, body.projects ?? []);
  return engine.state.addDeploy(release.version, {
    environment: body.environment,
    name: body.name ?? null,
    url: body.url ?? null,
    startedAt: toInstant(body.dateStarted ?? null),
    finishedAt: toInstant(body.dateFinished ?? null) ?? now,
  });
}

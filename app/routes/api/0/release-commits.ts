import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { requireRelease, requireReleaseScope } from "../../../features/web-api/releases.server.ts";
import { serializeCommit } from "../../../features/web-api/serialize-release.ts";
import type { Route } from "./+types/release-commits.ts";

const MAX_COMMITS = 1000;

export async function loader({ context, params }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  const release = await requireRelease(engine, params.version, await requireReleaseScope(engine, params));
  return answer((await engine.state.releases.listCommits(release.version, MAX_COMMITS)).map(serializeCommit));
}

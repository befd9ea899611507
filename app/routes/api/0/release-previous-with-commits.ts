import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { answerRelease, requireRelease, requireReleaseScope } from "../../../features/web-api/releases.server.ts";
import type { Route } from "./+types/release-previous-with-commits.ts";

/** Where tools begin to read commits; an empty object makes them take the newest ones. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  const release = await requireRelease(engine, params.version, await requireReleaseScope(engine, params));
  const previous = await engine.state.releases.getPreviousRelease(release.version, { withCommits: true });
  return answer(previous ? await answerRelease(engine, previous) : {});
}

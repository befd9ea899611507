import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { requireOrganization } from "../../../features/web-api/authorize.server.ts";
import { getStatsV2 } from "../../../features/web-api/stats-v2.server.ts";
import type { Route } from "./+types/stats-v2.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  return answer(await getStatsV2(engine.state, url, Date.now()));
}

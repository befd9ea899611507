import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { requireOrganization } from "../../../features/web-api/authorize.server.ts";
import { listMonitorsForApi } from "../../../features/web-api/list-monitors.server.ts";
import type { Route } from "./+types/monitors.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  const { monitors, link, leftOutCount } = await listMonitorsForApi(engine, url);
  return answer(monitors, {
    headers: { link, ...(leftOutCount > 0 ? { "x-check-ins-left-out": String(leftOutCount) } : {}) },
  });
}

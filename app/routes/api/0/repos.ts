import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { requireOrganization } from "../../../features/web-api/authorize.server.ts";
import type { Route } from "./+types/repos.ts";

/**
 * Always empty, whatever repositories commits have named: a repository in this list makes `set-commits --auto` send
 * nothing but a range of commits, for the server to fetch. With none it sends the commits.
 */
export async function loader({ context, params }: Route.LoaderArgs) {
  await requireOrganization(context.get(engineContext), params.org);
  return answer([]);
}

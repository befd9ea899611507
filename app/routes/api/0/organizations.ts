import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { serializeOrganization } from "../../../features/web-api/serialize-project.ts";
import type { Route } from "./+types/organizations.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const organization = await context.get(engineContext).state.people.getOrganization();
  return answer(organization ? [serializeOrganization(organization)] : []);
}

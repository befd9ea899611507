import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { requireOrganization } from "../../../features/web-api/authorize.server.ts";
import { saveCodeMappings } from "../../../features/web-api/save-code-mappings.server.ts";
import type { Route } from "./+types/code-mappings.ts";

export async function action({ context, params, request }: Route.ActionArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  return answer(await saveCodeMappings(engine, request));
}

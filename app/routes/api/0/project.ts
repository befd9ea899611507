import { engineContext } from "../../../context.ts";
import { answer, refusal } from "../../../features/web-api/answers.server.ts";
import { requireOrganization, requireProject } from "../../../features/web-api/authorize.server.ts";
import { changeProjectFromApi } from "../../../features/web-api/change-project.server.ts";
import { serializeProject } from "../../../features/web-api/serialize-project.ts";
import type { Route } from "./+types/project.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  const organization = await requireOrganization(engine, params.org);
  return answer(serializeProject(await requireProject(engine, params.project), organization));
}

export async function action({ context, params, request }: Route.ActionArgs) {
  if (request.method !== "PUT") return refusal(405, `Method "${request.method}" not allowed.`);
  const engine = context.get(engineContext);
  const organization = await requireOrganization(engine, params.org);
  const project = await changeProjectFromApi(engine, await requireProject(engine, params.project), request);
  return answer(serializeProject(project, organization));
}

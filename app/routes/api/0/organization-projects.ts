import { engineContext } from "../../../context.ts";
import { answer, refusal } from "../../../features/web-api/answers.server.ts";
import { requireOrganization } from "../../../features/web-api/authorize.server.ts";
import { createProjectFromApi } from "../../../features/web-api/change-project.server.ts";
import { serializeProject } from "../../../features/web-api/serialize-project.ts";
import type { Route } from "./+types/organization-projects.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  const organization = await requireOrganization(engine, params.org);
  const projects = await engine.state.projects.listProjects();
  return answer(projects.map((project) => serializeProject(project, organization)));
}

export async function action({ context, params, request }: Route.ActionArgs) {
  if (request.method !== "POST") return refusal(405, `Method "${request.method}" not allowed.`);
  const engine = context.get(engineContext);
  const organization = await requireOrganization(engine, params.org);
  const project = await createProjectFromApi(engine, request);
  return answer(serializeProject(project, organization), { status: 201 });
}

import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { requireOrganization } from "../../../features/web-api/authorize.server.ts";
import { serializeProject } from "../../../features/web-api/serialize-project.ts";
import type { Route } from "./+types/projects.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  const organization = await requireOrganization(engine, "1");
  const projects = await engine.state.projects.listProjects();
  return answer(projects.map((project) => serializeProject(project, organization)));
}

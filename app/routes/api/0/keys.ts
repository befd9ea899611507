import { engineContext } from "../../../context.ts";
import { answer, refusal } from "../../../features/web-api/answers.server.ts";
import { requireOrganization, requireProject } from "../../../features/web-api/authorize.server.ts";
import { createKeyFromApi } from "../../../features/web-api/change-key.server.ts";
import { serializeKey } from "../../../features/web-api/serialize-project.ts";
import type { Route } from "./+types/keys.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  const project = await requireProject(engine, params.project);
  const keys = await engine.state.projects.listKeys(project.id);
  return answer(keys.map((key) => serializeKey(key, engine.settings.publicUrl ?? url.origin)));
}

export async function action({ context, params, request, url }: Route.ActionArgs) {
  if (request.method !== "POST") return refusal(405, `Method "${request.method}" not allowed.`);
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  const key = await createKeyFromApi(engine, await requireProject(engine, params.project), request);
  return answer(serializeKey(key, engine.settings.publicUrl ?? url.origin), { status: 201 });
}

import { engineContext } from "../../../context.ts";
import { answer, refusal } from "../../../features/web-api/answers.server.ts";
import { requireOrganization, requireProject } from "../../../features/web-api/authorize.server.ts";
import { changeKeyFromApi, requireKey } from "../../../features/web-api/change-key.server.ts";
import { serializeKey } from "../../../features/web-api/serialize-project.ts";
import type { Route } from "./+types/key.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  const key = await requireKey(engine, await requireProject(engine, params.project), params.key);
  return answer(serializeKey(key, engine.settings.publicUrl ?? url.origin));
}

export async function action({ context, params, request, url }: Route.ActionArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  const key = await requireKey(engine, await requireProject(engine, params.project), params.key);
  if (request.method === "DELETE") {
    await engine.state.projects.deleteKey(key.id);
    await engine.reloadKeys();
    return new Response(null, { status: 204 });
  }
  if (request.method !== "PUT") return refusal(405, `Method "${request.method}" not allowed.`);
  const changed = await changeKeyFromApi(engine, key, request);
  return answer(serializeKey(changed, engine.settings.publicUrl ?? url.origin));
}

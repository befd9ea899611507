import { engineContext } from "../../../context.ts";
import { answer, refusal } from "../../../features/web-api/answers.server.ts";
import { requireOrganization } from "../../../features/web-api/authorize.server.ts";
import {
  createRepositoryFromApi,
  listRepositoriesForApi,
  serializeRepository,
} from "../../../features/web-api/repositories.server.ts";
import type { Route } from "./+types/repos.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  const { repositories, link } = await listRepositoriesForApi(engine, url);
  return answer(repositories, { headers: { link } });
}

export async function action({ context, params, request }: Route.ActionArgs) {
  if (request.method !== "POST") return refusal(405, `Method "${request.method}" not allowed.`);
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  return answer(serializeRepository(await createRepositoryFromApi(engine, request, Date.now())), { status: 201 });
}

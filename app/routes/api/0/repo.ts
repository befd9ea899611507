import { engineContext } from "../../../context.ts";
import { answer, nothing } from "../../../features/web-api/answers.server.ts";
import { requireOrganization } from "../../../features/web-api/authorize.server.ts";
import {
  changeRepositoryFromApi,
  requireRepository,
  serializeRepository,
} from "../../../features/web-api/repositories.server.ts";
import type { Route } from "./+types/repo.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  return answer(serializeRepository(await requireRepository(engine, params.repository)));
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  const repository = await requireRepository(engine, params.repository);
  if (request.method !== "DELETE")
    return answer(serializeRepository(await changeRepositoryFromApi(engine, repository, request)));
  await engine.state.repositories.deleteRepository(repository.id);
  return nothing();
}

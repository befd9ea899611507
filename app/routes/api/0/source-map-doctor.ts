import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { requireOrganization, requireProject } from "../../../features/web-api/authorize.server.ts";
import { answerDoctorQuestion, readBuildCheck } from "../../../features/web-api/read-doctor-question.server.ts";
import { checkBuildForApi } from "../../../features/web-api/source-map-doctor.server.ts";
import type { Route } from "./+types/source-map-doctor.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  const project = await requireProject(engine, params.project);
  return answerDoctorQuestion(engine, { project, url });
}

export async function action({ context, params, request, url }: Route.ActionArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  const project = await requireProject(engine, params.project);
  const { check, nameOf } = await readBuildCheck(request);
  const checked = await checkBuildForApi(engine, { project, url }, check, nameOf);
  return answer(checked, { status: checked.ok ? 200 : 409 });
}

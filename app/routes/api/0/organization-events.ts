import { engineContext } from "../../../context.ts";
import { refusal } from "../../../features/web-api/answers.server.ts";
import { requireOrganization } from "../../../features/web-api/authorize.server.ts";
import type { Route } from "./+types/organization-events.ts";

const LOG_DATASETS = ["logs", "ourlogs"];

export async function loader({ context, params, url }: Route.LoaderArgs) {
  await requireOrganization(context.get(engineContext), params.org);
  const dataset = url.searchParams.get("dataset") ?? "errors";
  return refusal(
    400,
    LOG_DATASETS.includes(dataset)
      ? "Logs are stored, and this version of Culprit cannot search them yet."
      : `This version of Culprit cannot search the dataset "${dataset.slice(0, 40)}". Events of a project are at /api/0/projects/${params.org}/{project}/events/.`,
  );
}

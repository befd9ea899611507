import { engineContext } from "../../../context.ts";
import { refusal } from "../../../features/web-api/answers.server.ts";
import { requireOrganization } from "../../../features/web-api/authorize.server.ts";
import type { Route } from "./+types/not-supported.ts";

const WHAT: ReadonlyArray<[pathPart: string, what: string]> = [
  ["/files/dsyms", "Native debug files are"],
  ["/files/proguard-artifact-releases", "ProGuard mappings are"],
  ["/reprocessing", "Reprocessing is"],
];

/** What tools may ask for and is not there: 400 with a reason, because they hide a 404 behind words of their own. */
export async function loader({ context, params, url }: Pick<Route.LoaderArgs, "context" | "params" | "url">) {
  await requireOrganization(context.get(engineContext), params.org);
  const what = WHAT.find(([part]) => url.pathname.includes(part))?.[1] ?? "This is";
  return refusal(400, `${what} not supported by this version of Culprit.`);
}

export const action = loader;

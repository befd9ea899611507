import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { requireOrganization, requireProject } from "../../../features/web-api/authorize.server.ts";
import { assembleDebugFilesBody } from "../../../features/web-api/endpoints/upload-endpoints.ts";
import { readBody } from "../../../features/web-api/read-body.server.ts";
import type { Route } from "./+types/debug-files-assemble.ts";

const MAX_BODY_BYTES = 20_000_000;
const DETAIL =
  "Native debug files (dSYM, PDB, ELF, ProGuard, …) are not supported by this version of Culprit. Source maps are: sentry-cli sourcemaps upload.";

/** Says of each file that it is not taken, and asks for none of its chunks. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  await requireProject(engine, params.project);
  const files = await readBody(request, assembleDebugFilesBody, { maxBytes: MAX_BODY_BYTES });
  const refused = { state: "error", missingChunks: [], detail: DETAIL, dif: null };
  return answer(Object.fromEntries(Object.keys(files).map((checksum) => [checksum, refused])));
}

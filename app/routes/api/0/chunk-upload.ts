import { engineContext } from "../../../context.ts";
import { answer } from "../../../features/web-api/answers.server.ts";
import { requireOrganization } from "../../../features/web-api/authorize.server.ts";
import { uploadChunks } from "../../../features/web-api/upload-chunks.server.ts";
import {
  CHUNK_BYTES,
  CHUNKS_PER_REQUEST,
  MAX_CHUNK_REQUEST_BYTES,
  MAX_UPLOAD_BYTES,
  UPLOAD_CONCURRENCY,
} from "../../../features/web-api/upload-limits.ts";
import type { Route } from "./+types/chunk-upload.ts";

/**
 * What tools ask before they upload. Native debug files are named as accepted, because tools would otherwise say that the
 * server is too old: they are refused with a reason when they are to be assembled.
 */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const engine = context.get(engineContext);
  const organization = await requireOrganization(engine, params.org);
  const root = new URL(engine.settings.publicUrl ?? url.origin).origin;
  return answer({
    url: `${root}/api/0/organizations/${organization.slug}/chunk-upload/`,
    chunkSize: CHUNK_BYTES,
    chunksPerRequest: CHUNKS_PER_REQUEST,
    maxFileSize: MAX_UPLOAD_BYTES,
    maxRequestSize: MAX_CHUNK_REQUEST_BYTES,
    maxWait: 0,
    concurrency: UPLOAD_CONCURRENCY,
    hashAlgorithm: "sha1",
    compression: ["gzip"],
    accept: ["release_files", "artifact_bundles", "artifact_bundles_v2", "debug_files", "sources", "proguard"],
  });
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const engine = context.get(engineContext);
  await requireOrganization(engine, params.org);
  await uploadChunks(engine, request);
  return answer([]);
}

import type { Workspace } from "../../access/workspace.ts";
import { createConcurrencyLimit } from "../../domain/concurrency-limit.ts";
import { type DownloadRequest, openDownload } from "../../domain/open-download.ts";
import { DEFAULT_BUNDLE_LIMITS, readBundleFile } from "../../symbolicate/read-artifact-bundle.ts";
import { readZipDirectory } from "../../symbolicate/zip-directory.ts";
import { refusal } from "../answers.ts";
import type { ReleaseFile } from "./release-files.server.ts";

/** The largest file, in bytes. A packed file is in memory twice: packed and unpacked. */
const { maxFileBytes: MAX_BYTES } = DEFAULT_BUNDLE_LIMITS;
const limit = createConcurrencyLimit({ atOnce: 1, maxWaiting: 50, maxWaitMs: 60_000 });
const RETRY_AFTER_SECONDS = 5;

/** The bytes of a file as it was uploaded. @throws a 404, 413 or 503 answer, {ReadLimitError} */
export async function downloadReleaseFile(
  workspace: Workspace,
  releaseFile: ReleaseFile,
  request: DownloadRequest,
): Promise<Response> {
  const { bundle, file } = releaseFile;
  if (file.bytes > MAX_BYTES) throw refusal(413, `The file has ${file.bytes} bytes, at most ${MAX_BYTES} are sent.`);
  const leave = await limit.enter(request.signal);
  if (!leave)
    throw refusal(503, "too many files are read at once; try again", { "retry-after": String(RETRY_AFTER_SECONDS) });
  try {
    const name = (file.url ?? file.path).split("/").at(-1) ?? "";
    const download = await openDownload(file.bytes, request, async () => ({
      bytes: await readUploadedFile(workspace, bundle, file.path),
      etag: `"${bundle.checksum}"`,
    }));
    return new Response(download?.body, {
      status: download?.status,
      headers: {
        ...download?.headers,
        "content-type": "application/octet-stream",
        "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", "%27")}`,
      },
    });
  } finally {
    leave();
  }
}

async function readUploadedFile(
  { blobs }: Workspace,
  { checksum, container }: ReleaseFile["bundle"],
  path: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = await blobs.open(checksum);
  if (reader === null) throw refusal(404, "The requested file is not stored any more");
  try {
    const bytes =
      container === "file"
        ? await reader.read(0, reader.bytes)
        : await readBundleFile(reader, await readZipDirectory(reader), path, MAX_BYTES);
    return bytes as Uint8Array<ArrayBuffer>;
  } finally {
    await reader.close();
  }
}

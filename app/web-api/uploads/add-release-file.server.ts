import { createHash } from "node:crypto";
import type { Workspace } from "../../access/workspace.ts";
import type { ArtifactFileType } from "../../domain/artifact.ts";
import { MIB } from "../../domain/bytes.ts";
import { createConcurrencyLimit } from "../../domain/concurrency-limit.ts";
import type { Project } from "../../domain/project.ts";
import type { Release } from "../../domain/release.ts";
import { includesProject } from "../../domain/scope.ts";
import { changeUploads } from "../../features/source-maps/change-uploads.server.ts";
import { readDebugIdComment, readMapDebugId, readSourceMappingUrl } from "../../symbolicate/source-file-facts.ts";
import { toDebugId } from "../../symbolicate/source-map.ts";
import { refusal } from "../answers.ts";
import { type MultipartFile, readMultipart } from "./read-multipart.server.ts";
import { listFilesOfBundle, type ReleaseFile } from "./release-files.server.ts";
import { MAX_RELEASE_FILE_BYTES } from "./upload-limits.ts";

const MAX_NAME_LENGTH = 1000;
/** Room for the other parts of the body. */
const MULTIPART_EXTRA_BYTES = MIB;
/** Each request holds a whole file in memory. */
const limit = createConcurrencyLimit({ atOnce: 2, maxWaiting: 200, maxWaitMs: 60_000 });

/** Adds one file to a release, as older tools send it. @throws a 400, 409, 413 or 503 answer. */
export async function addReleaseFile({
  release,
  project,
  request,
  enterAgain,
  ...rest
}: {
  release: Release;
  /** The project that the path names. Null: the projects of the release. */
  project: Project | null;
  request: Request;
  /** Authorizes the sender again after the file has come. */
  enterAgain(): Promise<{ workspace: Workspace }>;
  uploadedBy: string | null;
  at: number;
}): Promise<ReleaseFile> {
  const leave = await limit.enter(request.signal);
  if (!leave) throw refusal(503, "too many uploads come in at once; try again", { "retry-after": "5" });
  try {
    const upload = await readUpload(request);
    const { workspace } = await enterAgain();
    const named = project ? [project.id] : release.projects.map(({ projectId }) => projectId);
    const projectIds = named.filter((projectId) => includesProject(workspace.scope, projectId));
    if (projectIds.length === 0) throw refusal(400, "The release belongs to no project: give it one first.");
    return await changeUploads(() => saveUpload(workspace, { ...upload, ...rest, release, projectIds }));
  } finally {
    leave();
  }
}

interface Upload {
  name: string;
  dist: string | null;
  debugId: string | null;
  sourceMapUrl: string | null;
  content: Buffer;
}

async function readUpload(request: Request): Promise<Upload> {
  const files: MultipartFile[] = [];
  const limits = {
    maxFiles: 1,
    maxFileBytes: MAX_RELEASE_FILE_BYTES,
    maxBytes: MAX_RELEASE_FILE_BYTES + MULTIPART_EXTRA_BYTES,
  };
  const fields = await readMultipart(request, limits, async (file) => {
    if (file.name === "file") files.push(file);
  });
  const [file] = files;
  if (!file) throw refusal(400, "file: is missing");
  const field = (wanted: string) => fields.find(([name]) => name === wanted)?.[1].trim() || null;
  const name = field("name") ?? file.fileName;
  if (name === "" || name.length > MAX_NAME_LENGTH)
    throw refusal(400, `name: must have 1 to ${MAX_NAME_LENGTH} characters`);
  const headers = new Map(fields.filter(([key]) => key === "header").map(([, line]) => toHeader(line)));
  return {
    name,
    dist: field("dist"),
    debugId: toDebugId(headers.get("debug-id")) ?? readDebugId(name, file.content),
    sourceMapUrl: headers.get("sourcemap") ?? headers.get("x-sourcemap") ?? readReference(name, file.content),
    content: file.content,
  };
}

async function saveUpload(
  workspace: Workspace,
  {
    release,
    projectIds,
    name,
    dist,
    debugId,
    sourceMapUrl,
    content,
    uploadedBy,
    at,
  }: Upload & {
    release: Release;
    projectIds: number[];
    uploadedBy: string | null;
    at: number;
  },
): Promise<ReleaseFile> {
  const { state, scope } = workspace;
  for (const projectId of projectIds) {
    const there = await state.artifacts.findFilesByUrl(scope, { projectId, release: release.version, dist }, [name]);
    if (there.length > 0) throw refusal(409, `The release has a file "${name.slice(0, 200)}" already.`);
  }
  const checksum = checksumOf({ content, name, debugId, sourceMapUrl });
  await putBlob(workspace, checksum, content);
  const upload = { checksum, container: "file" as const, debugId: null, note: null, bytes: content.length };
  const bundle = await state.artifacts.saveArtifactBundle(
    scope,
    { ...upload, uploadedAt: at, uploadedBy, projectIds, releases: [{ version: release.version, dist }] },
    [{ path: "", type: toFileType(name), url: name, debugId, sourceMapUrl, bytes: content.length }],
  );
  const [saved] = await listFilesOfBundle(workspace, bundle, release);
  if (!saved) throw new Error(`the file ${checksum} was saved and is not there`);
  return { ...saved, dist };
}

/**
 * The checksum that identifies an upload in all projects. It includes the name and the headers. So an upload of another project with the
 * same content cannot change them.
 */
function checksumOf({ content, name, debugId, sourceMapUrl }: Omit<Upload, "dist">): string {
  const sha1 = createHash("sha1").update(content).digest("hex");
  const identity = JSON.stringify([name, debugId, sourceMapUrl]);
  return sha1 + createHash("sha256").update(identity).digest("hex").slice(0, 24);
}

async function putBlob({ chunks, blobs }: Workspace, key: string, content: Buffer): Promise<void> {
  const checksum = createHash("sha1").update(content).digest("hex");
  await chunks.put(checksum, content);
  const upload = { checksum, chunks: [checksum], maxBytes: MAX_RELEASE_FILE_BYTES };
  await chunks.assemble(upload, (path) => blobs.putFile(key, path));
}

/** Reads a header: `sourcemap:app.js.map`. */
function toHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, Math.max(colon, 0)).trim().toLowerCase(), line.slice(colon + 1).trim()];
}

function readDebugId(name: string, content: Buffer): string | null {
  return toFileType(name) === "source_map" ? readMapDebugId(content) : readDebugIdComment(content);
}

/** The address of the source map that the file names. Null: it names none, or the map is in the file itself. */
function readReference(name: string, content: Buffer): string | null {
  const reference = toFileType(name) === "minified_source" ? readSourceMappingUrl(content) : null;
  return reference?.startsWith("data:") ? null : reference;
}

function toFileType(name: string): ArtifactFileType {
  return /\.(map|json)(\?|$)/i.test(name) ? "source_map" : "minified_source";
}

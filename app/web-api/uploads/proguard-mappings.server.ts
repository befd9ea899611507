import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { Workspace } from "../../access/workspace.ts";
import type { ArtifactBundle } from "../../domain/artifact.ts";
import { MIB } from "../../domain/bytes.ts";
import type { Project } from "../../domain/project.ts";
import { changeUploads } from "../../features/source-maps/change-uploads.server.ts";
import { MAX_MAPPING_BYTES, ProguardMapping } from "../../symbolicate/proguard/proguard-mapping.ts";
import { toDebugId } from "../../symbolicate/source-map.ts";
import { withDashes } from "../../symbolicate/upload-command.ts";
import {
  ASSEMBLED,
  type AssembleAnswer,
  assembleChunks,
  type ChunkedFile,
  inUploadTurn,
  type Uploader,
} from "./assemble-chunks.server.ts";

/** The mapping that R8 or ProGuard wrote for a build, by the id that the build gave it. */
export interface UploadedMapping {
  /** 32 lower-case hex characters. */
  debugId: string;
  project: Project;
  uploadedBy: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** A debug file as tools read it. */
export interface DebugFile {
  id: string;
  uuid: string;
  debugId: string;
  codeId: null;
  cpuName: string;
  objectName: string;
  symbolType: string;
  headers: Record<string, string>;
  size: number;
  sha1: string;
  dateCreated: string;
  data: { features: string[] };
}

/** Comments come before the first class. */
const MAX_HEAD_BYTES = MIB;

/** The id in the name by which tools send a mapping: `/proguard/<uuid>.txt`. Null: the file is another. */
export function mappingIdOf(name: string): string | null {
  return toDebugId(/^\/?proguard\/([0-9a-f-]{32,36})\.txt$/i.exec(name)?.[1]);
}

/** Joins chunks to a mapping, at once. @throws as `inUploadTurn` */
export function assembleMapping(
  uploader: Omit<Uploader, "projects">,
  file: ChunkedFile,
  upload: UploadedMapping,
): Promise<AssembleAnswer & { dif: DebugFile | null }> {
  const key = blobKeyOf(file.checksum, upload.debugId);
  return inUploadTurn({ ...uploader, projects: [upload.project] }, async (workspace) => {
    const known = await changeUploads(() => extendMapping(workspace, key, upload));
    if (known !== null) return { ...ASSEMBLED, dif: toDebugFile(known, file.checksum, upload.debugId) };
    let saved: ArtifactBundle | null = null;
    const answer = await assembleChunks(
      workspace,
      { ...file, maxBytes: MAX_MAPPING_BYTES },
      async ({ path, bytes }) => {
        const problem = await findProblem(path);
        if (problem === null) saved = await changeUploads(() => putMapping(workspace, { key, path, bytes }, upload));
        return problem;
      },
    );
    return { ...answer, dif: saved === null ? null : toDebugFile(saved, file.checksum, upload.debugId) };
  });
}

/** Stores a mapping that came whole, as older tools send it. */
export async function storeMapping(
  { chunks }: Pick<Workspace, "chunks">,
  uploader: Omit<Uploader, "projects">,
  content: Buffer,
  upload: UploadedMapping,
): Promise<AssembleAnswer & { dif: DebugFile | null }> {
  const checksum = createHash("sha1").update(content).digest("hex");
  await chunks.put(checksum, content);
  return await assembleMapping(uploader, { checksum, chunks: [checksum] }, upload);
}

/** Gives the mapping to one more project. Null: it is not stored. */
async function extendMapping(
  workspace: Workspace,
  key: string,
  upload: UploadedMapping,
): Promise<ArtifactBundle | null> {
  const { state, scope, blobs } = workspace;
  const known = await state.artifacts.findArtifactBundle(scope, key);
  // An upload whose blob is missing counts as absent: then uploading again restores the blob.
  const blob = known === null ? null : await blobs.open(key);
  await blob?.close();
  if (known === null || blob === null) return null;
  if (known.projectIds.includes(upload.project.id)) return known;
  return await saveMapping(workspace, { key, bytes: known.bytes }, upload);
}

async function putMapping(
  workspace: Workspace,
  { key, path, bytes }: { key: string; path: string; bytes: number },
  upload: UploadedMapping,
): Promise<ArtifactBundle> {
  await workspace.blobs.putFile(key, path);
  return await saveMapping(workspace, { key, bytes }, upload);
}

async function saveMapping(
  { state, scope }: Workspace,
  { key, bytes }: { key: string; bytes: number },
  { debugId, project, uploadedBy, at }: UploadedMapping,
): Promise<ArtifactBundle> {
  return await state.artifacts.saveArtifactBundle(
    scope,
    {
      checksum: key,
      container: "file",
      debugId: null,
      note: null,
      bytes,
      uploadedAt: at,
      uploadedBy,
      projectIds: [project.id],
      releases: [],
    },
    [{ path: "", type: "proguard_mapping", url: null, debugId, sourceMapUrl: null, bytes }],
  );
}

/** What is wrong with a mapping. Null: it has a class. */
async function findProblem(path: string): Promise<string | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HEAD_BYTES), 0, MAX_HEAD_BYTES, 0);
    const { classCount } = ProguardMapping.parse(buffer.subarray(0, bytesRead));
    return classCount > 0 ? null : "the file names no class: it is no mapping of R8 or ProGuard";
  } finally {
    await file.close();
  }
}

/** Includes the id, because two builds may have the same mapping. */
function blobKeyOf(checksum: string, debugId: string): string {
  return checksum + createHash("sha256").update(`proguard ${debugId}`).digest("hex").slice(0, 24);
}

function toDebugFile({ id, bytes, uploadedAt }: ArtifactBundle, sha1: string, debugId: string): DebugFile {
  return {
    id: String(id),
    uuid: withDashes(debugId),
    debugId: withDashes(debugId),
    codeId: null,
    cpuName: "any",
    objectName: "proguard-mapping",
    symbolType: "proguard",
    headers: { "Content-Type": "text/x-proguard+plain" },
    size: bytes,
    sha1,
    dateCreated: new Date(uploadedAt).toISOString(),
    data: { features: ["mapping"] },
  };
}

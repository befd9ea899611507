import type { Workspace } from "../../access/workspace.ts";
import { MIB } from "../../domain/bytes.ts";
import { createConcurrencyLimit } from "../../domain/concurrency-limit.ts";
import type { Project } from "../../domain/project.ts";
import type { BlobReader } from "../../stores/blob-store.ts";
import { MAX_MAPPING_BYTES } from "../../symbolicate/proguard/proguard-mapping.ts";
import { ArchiveError, readZipDirectory, readZipEntry } from "../../symbolicate/zip-directory.ts";
import { refusal } from "../answers.ts";
import { type DebugFile, mappingIdOf, storeMapping } from "./proguard-mappings.server.ts";
import { type MultipartFile, readMultipart } from "./read-multipart.server.ts";
import { MAX_RELEASE_FILE_BYTES } from "./upload-limits.ts";

/** A build has one mapping, or one for each of its modules. */
const MAX_MAPPINGS = 20;
/** Room for the other parts of the body. */
const MULTIPART_EXTRA_BYTES = MIB;
/** Each request holds an archive and one of its mappings in memory. */
const limit = createConcurrencyLimit({ atOnce: 1, maxWaiting: 100, maxWaitMs: 60_000 });

/** Stores the mappings of a ZIP archive, as `sentry-cli` 2 sends them. @throws a 400, 413 or 503 answer. */
export async function addMappingArchive({
  project,
  request,
  enterAgain,
  ...rest
}: {
  project: Project;
  request: Request;
  /** Authorizes the sender again after the archive has come. */
  enterAgain(): Promise<{ workspace: Workspace }>;
  uploadedBy: string | null;
  at: number;
}): Promise<DebugFile[]> {
  const leave = await limit.enter(request.signal);
  if (!leave) throw refusal(503, "too many uploads come in at once; try again", { "retry-after": "5" });
  try {
    const archive = await readArchive(request);
    const { workspace } = await enterAgain();
    const uploader = { enterAgain, signal: request.signal };
    const stored: DebugFile[] = [];
    for await (const { debugId, name, content } of readMappings(archive)) {
      const { dif, detail } = await storeMapping(workspace, uploader, content, { debugId, project, ...rest });
      if (dif === null) throw refusal(400, `${name}: ${detail}`);
      stored.push(dif);
    }
    return stored;
  } catch (error) {
    if (error instanceof ArchiveError) throw refusal(400, error.message);
    throw error;
  } finally {
    leave();
  }
}

async function readArchive(request: Request): Promise<Buffer> {
  const files: MultipartFile[] = [];
  const limits = {
    maxFiles: 1,
    maxFileBytes: MAX_RELEASE_FILE_BYTES,
    maxBytes: MAX_RELEASE_FILE_BYTES + MULTIPART_EXTRA_BYTES,
  };
  await readMultipart(request, limits, async (file) => {
    if (file.name === "file") files.push(file);
  });
  const [file] = files;
  if (!file) throw refusal(400, "file: is missing");
  return file.content;
}

async function* readMappings(archive: Buffer): AsyncGenerator<{ debugId: string; name: string; content: Buffer }> {
  const reader = toReader(archive);
  const { entries } = await readZipDirectory(reader);
  if (entries.size === 0 || entries.size > MAX_MAPPINGS)
    throw refusal(400, `the archive has ${entries.size} files; it must have 1 to ${MAX_MAPPINGS} mappings`);
  // All names are looked at before the first mapping is stored.
  const mappings = [...entries].map(([name, entry]) => ({ name, entry, debugId: requireMappingId(name) }));
  for (const { name, entry, debugId } of mappings) {
    yield { debugId, name, content: await readZipEntry(reader, name, entry, MAX_MAPPING_BYTES) };
  }
}

function requireMappingId(name: string): string {
  const debugId = mappingIdOf(name);
  if (debugId === null)
    throw refusal(
      400,
      `${name.slice(0, 100)}: native debug files (dSYM, PDB, ELF) are not supported; mappings of R8 and ProGuard are, as proguard/UUID.txt`,
    );
  return debugId;
}

function toReader(bytes: Buffer): BlobReader {
  return {
    bytes: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
    close: async () => {},
  };
}

import { setImmediate } from "node:timers/promises";
import {
  type ArtifactFile,
  type ArtifactFileType,
  BUNDLE_FILE_TYPES,
  type BundleManifest,
} from "../domain/artifact.ts";
import { MIB } from "../domain/bytes.ts";
import { isRecord } from "../domain/is-record.ts";
import type { BlobReader } from "../stores/blob-store.ts";
import { readAhead } from "./read-ahead.ts";
import { JsonBytes, JsonBytesError } from "./read-json-bytes.ts";
import { readDebugIdComment, readMapDebugId, readSourceMappingUrl } from "./source-file-facts.ts";
import { toDebugId } from "./source-map.ts";
import {
  ArchiveError,
  DEFAULT_ZIP_LIMITS,
  readZipDirectory,
  readZipEntry,
  type ZipDirectory,
  type ZipEntry,
  type ZipLimits,
} from "./zip-directory.ts";

export interface BundleLimits extends ZipLimits {
  maxManifestBytes: number;
  /** The largest file that is read to find its debug id. */
  maxFileBytes: number;
}

export const DEFAULT_BUNDLE_LIMITS: BundleLimits = {
  ...DEFAULT_ZIP_LIMITS,
  maxManifestBytes: 16 * MIB,
  maxFileBytes: 128 * MIB,
};

/** Files lie one after another: a piece holds hundreds of small ones. */
const READ_AHEAD_BYTES = MIB;
/** After this time, the work yields to other events: small files are read without leaving the thread. */
const SLICE_MS = 5;

const MANIFEST_PATH = "manifest.json";
const MAX_TEXT_CHARACTERS = 2_048;
/** The words of older formats, which some tools still write. */
const TYPE_ALIASES: Record<string, ArtifactFileType> = { sourcemap: "source_map", script: "minified_source" };

export interface OpenedBundle {
  manifest: BundleManifest;
  directory: ZipDirectory;
}

/**
 * Reads what an upload holds. With `derive`, files without a debug id are read to find one in them, and generated files
 * without a reference to their map too. @throws ArchiveError with a message for who sent it
 */
export async function readArtifactBundle(
  reader: BlobReader,
  options: { limits?: Partial<BundleLimits>; derive?: boolean } = {},
): Promise<OpenedBundle> {
  const limits = { ...DEFAULT_BUNDLE_LIMITS, ...options.limits };
  const directory = await readZipDirectory(reader, limits);
  const entry = directory.entries.get(MANIFEST_PATH);
  if (entry === undefined) throw new ArchiveError("the archive has no manifest.json");
  const manifest = parseManifest(await readZipEntry(reader, MANIFEST_PATH, entry, limits.maxManifestBytes), directory);
  if (options.derive) {
    const ahead = readAhead(reader, READ_AHEAD_BYTES);
    let sliceEnd = performance.now() + SLICE_MS;
    for (const file of manifest.files) {
      await deriveFacts(ahead, file, directory, limits.maxFileBytes);
      if (performance.now() < sliceEnd) continue;
      await setImmediate();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
  return { manifest, directory };
}

function parseManifest(bytes: Buffer, directory: ZipDirectory): BundleManifest {
  const root = parseJson(bytes);
  if (!isRecord(root)) throw new ArchiveError("manifest.json is not a JSON object");
  if (!isRecord(root.files)) throw new ArchiveError("manifest.json has no object called files");
  const files: BundleManifest["files"] = [];
  const ignored: BundleManifest["ignored"] = [];
  const listed = new Set<ZipEntry>();
  for (const [path, value] of Object.entries(root.files)) {
    const entry = directory.entries.get(path.replaceAll("\\", "/"));
    if (entry === undefined)
      throw new ArchiveError(`manifest.json lists ${JSON.stringify(path.slice(0, 100))}, which is not in the archive`);
    // With mixed slashes and backslashes, one file has very many names, and each would be read.
    if (listed.has(entry)) throw new ArchiveError(`manifest.json lists ${JSON.stringify(path.slice(0, 100))} twice`);
    listed.add(entry);
    if (!isRecord(value)) {
      ignored.push({ path, reason: "what the manifest says of it is not an object" });
      continue;
    }
    const type = toFileType(value.type);
    if (type === null) {
      ignored.push({ path, reason: "stack traces do not need files of its type" });
      continue;
    }
    const headers = readHeaders(value.headers);
    files.push({
      path: path.replaceAll("\\", "/"),
      type,
      url: toText(value.url),
      debugId: toDebugId(headers.get("debug-id")),
      sourceMapUrl: toText(headers.get("sourcemap") ?? headers.get("x-sourcemap")),
      bytes: entry.bytes,
    });
  }
  return {
    debugId: toDebugId(root.debug_id),
    org: toText(root.org),
    project: toText(root.project),
    release: toText(root.release),
    dist: toText(root.dist),
    note: toText(root.note),
    files,
    ignored,
  };
}

function parseJson(bytes: Buffer): unknown {
  try {
    const json = new JsonBytes(bytes);
    // Finds what nests too deeply before anything is built.
    return json.read(json.root(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0));
  } catch (error) {
    if (error instanceof JsonBytesError)
      throw new ArchiveError(`manifest.json cannot be read: ${error.message}`, { cause: error });
    throw error;
  }
}

async function deriveFacts(
  reader: BlobReader,
  file: Omit<ArtifactFile, "bundleId">,
  { entries }: ZipDirectory,
  maxBytes: number,
): Promise<void> {
  const isGenerated = file.type === "minified_source";
  const wantsId = file.debugId === null && (isGenerated || file.type === "source_map");
  const wantsReference = isGenerated && file.sourceMapUrl === null;
  const entry = entries.get(file.path);
  if ((!wantsId && !wantsReference) || entry === undefined || entry.bytes > maxBytes) return;
  const bytes = await readZipEntry(reader, file.path, entry, maxBytes);
  if (wantsId) file.debugId = isGenerated ? readDebugIdComment(bytes) : readMapDebugId(bytes);
  // An inline map stays in its file.
  const reference = wantsReference ? readSourceMappingUrl(bytes) : null;
  if (reference !== null && !reference.startsWith("data:")) file.sourceMapUrl = reference;
}

/** Reads one file of an upload that is packed as a ZIP. @throws ArchiveError */
export async function readBundleFile(
  reader: BlobReader,
  directory: ZipDirectory,
  path: string,
  maxBytes: number,
): Promise<Buffer> {
  const entry = directory.entries.get(path);
  if (entry === undefined) throw new ArchiveError(`the archive has no ${JSON.stringify(path.slice(0, 100))}`);
  return await readZipEntry(reader, path, entry, maxBytes);
}

function toFileType(value: unknown): ArtifactFileType | null {
  if (typeof value !== "string") return null;
  const name = value.toLowerCase();
  return BUNDLE_FILE_TYPES.find((type) => type === name) ?? TYPE_ALIASES[name] ?? null;
}

function readHeaders(value: unknown): Map<string, unknown> {
  const headers = new Map<string, unknown>();
  if (isRecord(value)) for (const [name, each] of Object.entries(value)) headers.set(name.toLowerCase(), each);
  return headers;
}

function toText(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.length <= MAX_TEXT_CHARACTERS ? value : null;
}

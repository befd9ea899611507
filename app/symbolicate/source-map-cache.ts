import { MIB } from "../domain/bytes.ts";
import { createInTurn } from "../domain/in-turn.ts";
import type { BlobReader, BlobStore } from "../stores/blob-store.ts";
import { type Loaded, MemoryCache, type MemoryCacheStats } from "../stores/memory-cache.ts";
import type { FunctionScopes } from "./function-scopes.ts";
import { MapMemory } from "./map-memory.ts";
import { MAX_MAPPING_BYTES, ProguardMapping } from "./proguard/proguard-mapping.ts";
import { readBundleFile } from "./read-artifact-bundle.ts";
import type { ReadTurns } from "./read-turns.ts";
import { scanFunctionScopes } from "./scan-function-scopes.ts";
import { readInlineMap, readSourceMappingUrl } from "./source-file-facts.ts";
import { SourceLines } from "./source-lines.ts";
import { SourceMap, SourceMapError } from "./source-map.ts";
import { ArchiveError, readZipDirectory, type ZipDirectory } from "./zip-directory.ts";

export interface SourceMapCacheOptions {
  /** Estimated bytes of the kept maps; maps that are being read come on top. */
  maxCacheBytes: number;
  /** Larger maps are not read. Bytes, decompressed. */
  maxMapBytes: number;
  /** Larger generated files are not looked at for functions. Bytes. */
  maxGeneratedBytes: number;
  /** Limits for the memory of events, instead of those of `MapMemory`. */
  memory: ConstructorParameters<typeof MapMemory>[0];
}

/**
 * A map of 10 MB and its code take 25 MB in the cache: five large releases have room, or fifty small ones. Maps of a
 * hundred megabytes exist (React Native), larger ones are more likely an attack; reading one takes its bytes twice for
 * a moment. Generated files of 32 MB take two seconds to look through.
 */
const DEFAULT_SOURCE_MAP_CACHE_OPTIONS: SourceMapCacheOptions = {
  maxCacheBytes: 128 * MIB,
  maxMapBytes: 128 * MIB,
  maxGeneratedBytes: 32 * MIB,
  memory: {},
};

const MAX_SOURCE_BYTES = 16 * MIB;

/** The place of an uploaded or fetched file. Its contents never change. */
export interface UploadedFile {
  checksum: string;
  /** `url`: fetched from where the application serves it; `path` is the URL then. */
  container: "zip" | "file" | "url";
  path: string;
}

/** Returns a file that was fetched a moment ago. Null: it is gone. */
export type ReadFetched = (file: Pick<UploadedFile, "checksum">) => Buffer | null;

export type MapAnswer =
  | { kind: "map"; map: SourceMap; bytes: number }
  | {
      kind: "refused";
      error: "malformed_sourcemap" | "sourcemap_too_large" | "missing_sourcemap" | "invalid_base64_sourcemap";
      problem: string;
    };

export interface GeneratedFile {
  /** Null: too large, or no code that could be followed. */
  scopes: FunctionScopes | null;
  /** The map in its last comment; `data:` alone stands for an inline map. Null: none. */
  sourceMapUrl: string | null;
}

export type ProguardAnswer =
  | { kind: "mapping"; mapping: ProguardMapping }
  | { kind: "refused"; isGone: boolean; problem: string };

/** Reads uploads, and caches the results within a budget. One file is read at a time. */
export class SourceMapCache {
  readonly #blobs: BlobStore;
  readonly #options: SourceMapCacheOptions;
  readonly #cache: MemoryCache;
  readonly #readFetched: ReadFetched;
  /** Several large files at once would need their memory at once. */
  readonly #inTurn = createInTurn();

  constructor(blobs: BlobStore, options: Partial<SourceMapCacheOptions> = {}, readFetched: ReadFetched = () => null) {
    this.#blobs = blobs;
    this.#readFetched = readFetched;
    this.#options = { ...DEFAULT_SOURCE_MAP_CACHE_OPTIONS, ...options };
    this.memory = new MapMemory(this.#options.memory);
    this.#cache = new MemoryCache({ maxBytes: this.#options.maxCacheBytes });
  }

  /** The results that events hold. */
  readonly memory: MapMemory;

  stats(): MemoryCacheStats {
    return this.#cache.stats();
  }

  /** A map that was uploaded as a file. Null: the event is late. */
  getMap(file: UploadedFile, turns: ReadTurns): Promise<MapAnswer | null> {
    return this.#get(keyOf("map", file), turns, async () => {
      const read = await this.#read(file, this.#options.maxMapBytes);
      return read.kind === "bytes" ? toLoaded(parseMap(read.bytes)) : refuse(read, "the source map");
    });
  }

  /** The map that a generated file carries in its last comment. Null: the event is late. */
  getInlineMap(file: UploadedFile, turns: ReadTurns): Promise<MapAnswer | null> {
    return this.#get(keyOf("inline", file), turns, async () => {
      const read = await this.#read(file, this.#options.maxMapBytes);
      if (read.kind !== "bytes") return refuse(read, "the source map");
      const map = readInlineMap(readSourceMappingUrl(read.bytes) ?? "");
      if (map === null)
        return toLoaded({
          kind: "refused",
          error: "invalid_base64_sourcemap",
          problem: "the inline source map is not valid Base64",
        });
      return toLoaded(parseMap(map));
    });
  }

  /** A mapping of R8 or ProGuard. Null: the event is late. */
  getProguardMapping(file: UploadedFile, turns: ReadTurns): Promise<ProguardAnswer | null> {
    return this.#get(keyOf("proguard", file), turns, async (): Promise<Loaded<ProguardAnswer>> => {
      const read = await this.#read(file, MAX_MAPPING_BYTES);
      if (read.kind !== "bytes") {
        const answer = refuse(read, "the mapping");
        const { problem } = answer.value;
        return { ...answer, value: { kind: "refused", isGone: read.kind === "missing", problem } };
      }
      const mapping = ProguardMapping.parse(read.bytes);
      return { value: { kind: "mapping", mapping }, bytes: mapping.memoryBytes };
    });
  }

  /** Null: the upload does not have it, it cannot be read, or the event is late. */
  getGenerated(file: UploadedFile, turns: ReadTurns): Promise<GeneratedFile | null> {
    return this.#get(keyOf("generated", file), turns, async () => {
      const read = await this.#read(file, this.#options.maxMapBytes);
      if (read.kind !== "bytes") return { value: null, bytes: 0, isLasting: read.kind !== "missing" };
      const { bytes } = read;
      const reference = readSourceMappingUrl(bytes);
      const isSmall = bytes.length <= this.#options.maxGeneratedBytes;
      // An inline map is not code, but would be kept with it.
      const code = reference?.startsWith("data:")
        ? bytes.subarray(0, bytes.lastIndexOf("sourceMappingURL=") - 4)
        : bytes;
      const scopes = isSmall ? scanFunctionScopes(code.toString("utf8")) : null;
      const value: GeneratedFile = { scopes, sourceMapUrl: reference?.startsWith("data:") ? "data:" : reference };
      return { value, bytes: (scopes?.memoryBytes ?? 0) + 500 };
    });
  }

  /** The text of a source that was uploaded by itself. Null: it cannot be read, or the event is late. */
  getSource(file: UploadedFile, turns: ReadTurns): Promise<SourceLines | null> {
    return this.#get(keyOf("source", file), turns, async () => {
      const read = await this.#read(file, MAX_SOURCE_BYTES);
      if (read.kind !== "bytes") return { value: null, bytes: 0, isLasting: read.kind !== "missing" };
      const value = new SourceLines(read.bytes.toString("utf8"));
      return { value, bytes: value.text.length * 2 };
    });
  }

  /** Cached results wait for no turn. */
  async #get<Value>(key: string, turns: ReadTurns, load: () => Promise<Loaded<Value>>): Promise<Value | null> {
    const get = () => this.#cache.get(key, load);
    return await (this.#cache.has(key) ? get() : turns.take(get));
  }

  async #read(file: UploadedFile, maxBytes: number): Promise<ReadAnswer> {
    return await this.#inTurn(() => this.#readNow(file, maxBytes));
  }

  async #readNow(file: UploadedFile, maxBytes: number): Promise<ReadAnswer> {
    if (file.container === "url") {
      const bytes = this.#readFetched(file);
      if (bytes === null) return { kind: "missing" };
      return bytes.length > maxBytes ? { kind: "too-large", bytes: bytes.length, maxBytes } : { kind: "bytes", bytes };
    }
    const reader = await this.#blobs.open(file.checksum);
    if (reader === null) return { kind: "missing" };
    try {
      if (file.container === "file") {
        if (reader.bytes > maxBytes) return { kind: "too-large", bytes: reader.bytes, maxBytes };
        const bytes = await reader.read(0, reader.bytes);
        return { kind: "bytes", bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
      }
      const directory = await this.#directoryOf(file.checksum, reader);
      const entry = directory.entries.get(file.path);
      if (entry === undefined) return { kind: "missing" };
      if (entry.bytes > maxBytes) return { kind: "too-large", bytes: entry.bytes, maxBytes };
      return { kind: "bytes", bytes: await readBundleFile(reader, directory, file.path, maxBytes) };
    } catch (error) {
      if (error instanceof ArchiveError) return { kind: "damaged", problem: error.message };
      throw error;
    } finally {
      await reader.close();
    }
  }

  #directoryOf(checksum: string, reader: BlobReader): Promise<ZipDirectory> {
    return this.#cache.get(`directory:${checksum}`, async () => {
      const directory = await readZipDirectory(reader);
      return { value: directory, bytes: directory.memoryBytes };
    });
  }
}

type ReadAnswer =
  | { kind: "bytes"; bytes: Buffer }
  | { kind: "missing" }
  | { kind: "too-large"; bytes: number; maxBytes: number }
  | { kind: "damaged"; problem: string };

function keyOf(kind: string, { checksum, path }: UploadedFile): string {
  return `${kind}:${checksum}:${path}`;
}

function parseMap(bytes: Buffer): MapAnswer {
  try {
    return { kind: "map", map: SourceMap.parse(bytes), bytes: bytes.length };
  } catch (error) {
    if (error instanceof SourceMapError)
      return { kind: "refused", error: "malformed_sourcemap", problem: error.message };
    throw error;
  }
}

type Refusal = Extract<MapAnswer, { kind: "refused" }>;

/** `what` names the file in the sentence for people. */
function refuse(read: Exclude<ReadAnswer, { kind: "bytes" }>, what: string): Loaded<Refusal> {
  switch (read.kind) {
    case "missing": {
      // The upload was deleted a moment ago; the same may be sent again.
      const problem = `${what} is gone since it was found`;
      return { ...toRefusal("missing_sourcemap", problem), isLasting: false };
    }
    case "too-large": {
      const problem = `${what} has ${read.bytes} bytes, at most ${read.maxBytes} are read`;
      return toRefusal("sourcemap_too_large", problem);
    }
    case "damaged":
      return toRefusal("malformed_sourcemap", read.problem);
  }
}

function toRefusal(error: Refusal["error"], problem: string): Loaded<Refusal> {
  return { value: { kind: "refused", error, problem }, bytes: problem.length * 2 };
}

function toLoaded(value: MapAnswer): Loaded<MapAnswer> {
  return { value, bytes: value.kind === "map" ? value.map.memoryBytes : value.problem.length * 2 };
}

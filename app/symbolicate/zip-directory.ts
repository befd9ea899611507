import { promisify } from "node:util";
import { crc32, inflateRaw, inflateRawSync } from "node:zlib";
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader } from "yauzl";
import { GIB, MIB } from "../domain/bytes.ts";
import type { BlobReader } from "../stores/blob-store.ts";
import { readAhead } from "./read-ahead.ts";

/** The upload is not an archive that is accepted. The message tells the sender the limit or the fault. */
export class ArchiveError extends Error {
  override name = "ArchiveError";
}

export interface ZipLimits {
  maxEntries: number;
  /** The limit for all entries together, decompressed. */
  maxTotalBytes: number;
}

export const DEFAULT_ZIP_LIMITS: ZipLimits = { maxEntries: 20_000, maxTotalBytes: 4 * GIB };

export interface ZipEntry {
  /** Offset of the entry's own header, from the start of the upload. */
  headerOffset: number;
  compressedBytes: number;
  bytes: number;
  isDeflated: boolean;
  crc32: number;
}

/** The entries of an archive and their places: enough to read them later without the directory. */
export interface ZipDirectory {
  /** Entries by path. */
  entries: ReadonlyMap<string, ZipEntry>;
  /** Estimated. */
  memoryBytes: number;
}

/** Bytes in front of archives that `sentry-cli` makes: `SYSB`, and the version of the format as 32 bits. */
const BUNDLE_PREFIX = "SYSB";
const PREFIX_BYTES = 8;
const DEFLATED = 8;
/** DEFLATE reaches 1,032; maps and code reach 5 to 20, and a repetitive one of generated data perhaps 100. */
const MAX_RATIO = 300;
/** Smaller entries are harmless at any compression ratio. */
const RATIO_FREE_BYTES = 4 * MIB;
const MAX_PATH_CHARACTERS = 1_024;
const LOCAL_HEADER_BYTES = 30;
const LOCAL_HEADER_SIGNATURE = 0x04034b50;
/** The directory is read in pieces of this size. */
const READ_AHEAD_BYTES = 64 * 1024;

/** Inflated on this thread, which takes less of it (50 µs) than to have it done on another. */
const SMALL_BYTES = 64 * 1024;

const inflate = promisify(inflateRaw);

/** Reads the directory of an archive, with or without prefix, and refuses archives that no tool makes. @throws ArchiveError */
export async function readZipDirectory(
  reader: BlobReader,
  limits: ZipLimits = DEFAULT_ZIP_LIMITS,
): Promise<ZipDirectory> {
  try {
    return await readDirectoryAt(reader, 0, limits);
  } catch (error) {
    const prefix = Buffer.from(await reader.read(0, PREFIX_BYTES)).toString("latin1");
    if (error instanceof ArchiveError || !prefix.startsWith(BUNDLE_PREFIX)) throw toArchiveError(error);
  }
  // Offsets may count from behind the prefix, when an archive was made first and the prefix put in front.
  try {
    return await readDirectoryAt(reader, PREFIX_BYTES, limits);
  } catch (error) {
    throw toArchiveError(error);
  }
}

function toArchiveError(error: unknown): Error {
  if (error instanceof ArchiveError) return error;
  // It is a fault of the disk, not of the upload.
  if (error instanceof Error && "syscall" in error) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ArchiveError(`the upload is not a ZIP archive that can be read: ${message}`, { cause: error });
}

async function readDirectoryAt(reader: BlobReader, shift: number, limits: ZipLimits): Promise<ZipDirectory> {
  const source = new WindowReader(reader, shift);
  const zip = await fromRandomAccessReaderPromise(source, reader.bytes - shift, {
    autoClose: false,
    lazyEntries: true,
    decodeStrings: true,
    validateEntrySizes: true,
  });
  if (zip.entryCount > limits.maxEntries)
    throw new ArchiveError(`the archive has ${zip.entryCount} entries, at most ${limits.maxEntries} are taken`);
  const entries = new Map<string, ZipEntry>();
  let totalBytes = 0;
  let totalCompressedBytes = 0;
  let memoryBytes = 0;
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName;
    checkEntry(entry);
    if (path.endsWith("/")) continue;
    totalBytes += entry.uncompressedSize;
    totalCompressedBytes += entry.compressedSize;
    if (totalBytes > limits.maxTotalBytes)
      throw new ArchiveError(`the archive is larger than ${limits.maxTotalBytes} bytes when it is decompressed`);
    // Entries that share bytes make much of little.
    if (totalCompressedBytes > reader.bytes) throw new ArchiveError("entries of the archive overlap");
    if (entries.has(path)) throw new ArchiveError(`the archive has two entries called ${quote(path)}`);
    entries.set(path, {
      headerOffset: entry.relativeOffsetOfLocalHeader + shift,
      compressedBytes: entry.compressedSize,
      bytes: entry.uncompressedSize,
      isDeflated: entry.compressionMethod === DEFLATED,
      crc32: entry.crc32,
    });
    memoryBytes += 150 + path.length * 2;
  }
  return { entries, memoryBytes };
}

function checkEntry(entry: Entry): void {
  const path = entry.fileName;
  if (path.length > MAX_PATH_CHARACTERS)
    throw new ArchiveError(
      `a path in the archive has ${path.length} characters, at most ${MAX_PATH_CHARACTERS} are taken`,
    );
  if (path.includes("\0") || path.split("/").includes(".."))
    throw new ArchiveError(`a path leads out of the archive: ${quote(path)}`);
  if (entry.isEncrypted()) throw new ArchiveError(`${quote(path)} is encrypted`);
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== DEFLATED)
    throw new ArchiveError(
      `${quote(path)} is compressed by method ${entry.compressionMethod}, only stored and deflated entries are taken`,
    );
  const mode = entry.externalFileAttributes >>> 16;
  if ((mode & 0o170000) === 0o120000) throw new ArchiveError(`${quote(path)} is a symbolic link`);
  const { compressedSize, uncompressedSize } = entry;
  if (uncompressedSize > RATIO_FREE_BYTES && uncompressedSize > compressedSize * MAX_RATIO)
    throw new ArchiveError(
      `${quote(path)} says that it is ${Math.round(uncompressedSize / Math.max(1, compressedSize))} times as large decompressed, at most ${MAX_RATIO} times is taken`,
    );
}

/** Reads a whole entry. @throws ArchiveError also when it is larger than `maxBytes`, even if its header says otherwise */
export async function readZipEntry(
  reader: BlobReader,
  path: string,
  entry: ZipEntry,
  maxBytes: number,
): Promise<Buffer> {
  const { bytes, compressedBytes } = entry;
  if (bytes > maxBytes || compressedBytes > maxBytes)
    throw new ArchiveError(`${quote(path)} has ${bytes} bytes, at most ${maxBytes} are read`);
  const header = Buffer.from(await reader.read(entry.headerOffset, LOCAL_HEADER_BYTES));
  if (header.length < LOCAL_HEADER_BYTES || header.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE)
    throw new ArchiveError(`the archive has nothing where ${quote(path)} should be`);
  const start = entry.headerOffset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = await reader.read(start, compressedBytes);
  if (packed.byteLength !== compressedBytes) throw new ArchiveError(`the archive is cut off inside ${quote(path)}`);
  const content = entry.isDeflated ? await inflateEntry(path, packed, bytes) : Buffer.from(packed);
  if (content.length !== bytes || crc32(content) !== entry.crc32)
    throw new ArchiveError(`${quote(path)} is not what the archive says: its size or checksum differs`);
  return content;
}

async function inflateEntry(path: string, packed: Uint8Array, bytes: number): Promise<Buffer> {
  try {
    // One byte more than its header says, to detect a wrong size.
    const options = { maxOutputLength: bytes + 1 };
    return bytes <= SMALL_BYTES ? inflateRawSync(packed, options) : await inflate(packed, options);
  } catch (cause) {
    throw new ArchiveError(`${quote(path)} cannot be decompressed to the ${bytes} bytes that it says it has`, {
      cause,
    });
  }
}

function quote(path: string): string {
  return JSON.stringify(path.length > 100 ? `${path.slice(0, 100)}…` : path);
}

/** A directory is read in many small steps, one after the other: they are served from one piece of the file. */
class WindowReader extends RandomAccessReader {
  readonly #reader: BlobReader;
  readonly #shift: number;

  constructor(reader: BlobReader, shift: number) {
    super();
    this.#reader = readAhead(reader, READ_AHEAD_BYTES);
    this.#shift = shift;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#take(position, length).then(
      (bytes) => callback(null, bytes.copy(buffer, offset)),
      (error: Error) => callback(error),
    );
  }

  async #take(position: number, length: number): Promise<Buffer> {
    if (!Number.isSafeInteger(position + this.#shift) || position < 0) throw new Error(`no offset: ${position}`);
    const bytes = await this.#reader.read(position + this.#shift, length);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

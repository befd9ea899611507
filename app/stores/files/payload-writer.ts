import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { MIB } from "../../domain/bytes.ts";
import { freeMemory } from "../../domain/free-memory.ts";
import { syncFolder } from "../../durable-file.ts";
import type { PayloadRef } from "../payload-store.ts";
import { BlockCompressor } from "./block-compressor.ts";
import {
  BLOCK_HEADER_BYTES,
  type BlockEntry,
  CODEC,
  type Dictionary,
  encodeBlock,
  encodeDictionary,
  encodeHeader,
  pack,
} from "./payload-block.ts";
import { toFileName } from "./payload-file-names.ts";
import { SampleDictionary } from "./sample-dictionary.ts";

/** Size before compression. Larger blocks compress better and take longer to read; see `payload-block.ts`. */
const BLOCK_BYTES = MIB;

/** A smaller block has too little in it to find what repeats, so it is compressed against a dictionary. */
const DICTIONARY_BELOW_BYTES = BLOCK_BYTES / 2;

/**
 * The number of compressions that run at the same time, on the threads that file access uses, too. A busy digest only checks for results
 * every few milliseconds: with fewer, the processor would wait for it.
 */
const PARALLEL_BLOCKS = 3;

/** For people who look into the file. No block begins at offset 0. */
const FILE_HEADER = Buffer.from("Culprit payload file, version 2\n", "latin1");

/**
 * Writes one file from its beginning. A process never continues a file of another process, so a part at its end that a crash left is never
 * touched.
 */
export class PayloadWriter {
  readonly fileId: number;
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #samples = new SampleDictionary();
  /** As many compressors as were needed at the same time. */
  readonly #compressors: BlockCompressor[] = [];
  #dictionary: Dictionary | null = null;
  #endOffset = FILE_HEADER.length;

  private constructor(fileId: number, path: string, file: FileHandle) {
    this.fileId = fileId;
    this.#path = path;
    this.#file = file;
  }

  /** Null when the file exists. */
  static async create(dir: string, fileId: number): Promise<PayloadWriter | null> {
    const path = join(dir, toFileName(fileId));
    let file: FileHandle;
    try {
      file = await open(path, "wx", 0o640);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return null;
      throw error;
    }
    const writer = new PayloadWriter(fileId, path, file);
    try {
      await writeAll(file, [FILE_HEADER], 0);
      await syncFolder(dir);
      return writer;
    } catch (error) {
      await writer.abandon();
      throw error;
    }
  }

  /** Bytes that are written and durable: where the next block goes. */
  get endOffset(): number {
    return this.#endOffset;
  }

  /**
   * Durable when it resolves. After a failure the writer must be abandoned. With a log entry, nothing is written before the entry
   * is there; large blocks are compressed meanwhile.
   */
  async append(payloads: readonly Uint8Array[], entry?: Promise<Uint8Array>): Promise<PayloadRef[]> {
    const groups = groupPayloads(payloads);
    const [first] = groups;
    // Beside its payloads, an entry compresses to half: its ids are in them, and its names in the dictionary.
    const isEntryInside = entry !== undefined && groups.length === 1 && first !== undefined && isSmall(first);
    if (entry !== undefined && isEntryInside) addEntry(groups, await entry, { isInside: true });
    const blocks = await this.#encodeBlocks(groups);
    if (entry !== undefined && !isEntryInside) {
      const added = addEntry(groups, await entry, { isInside: false });
      blocks.push(...(await this.#encodeBlocks([added])));
    }
    const refs: PayloadRef[] = [];
    let offset = this.#endOffset;
    let writtenTo = offset;
    let unwritten: Uint8Array[] = [];
    for (const [at, group] of groups.entries()) {
      const payloadCount = group.payloads.length - (group.entry === null ? 0 : 1);
      for (let index = 0; index < payloadCount; index++) refs.push({ fileId: this.fileId, offset, index });
      const block = blocks[at];
      if (block) {
        unwritten.push(...block);
        offset += countBytes(block);
        continue;
      }
      await writeAll(this.#file, unwritten, writtenTo);
      unwritten = [];
      offset = await writeChunked(this.#file, group, offset);
      writtenTo = offset;
    }
    await writeAll(this.#file, unwritten, writtenTo);
    for (const part of blocks.flatMap((block) => block ?? [])) freeMemory(part);
    for (const group of groups) if (usesDictionary(group)) for (const each of group.payloads) this.#samples.add(each);
    let dictionary = this.#dictionary;
    if (this.#samples.isDue) {
      dictionary = { offset, bytes: this.#samples.bytes() };
      offset = await writeAll(this.#file, await encodeDictionary(dictionary.bytes), offset);
      this.#samples.markTaken();
    }
    await this.#file.datasync();
    this.#endOffset = offset;
    this.#dictionary = dictionary;
    return refs;
  }

  /** Encodes one block for each group. Undefined for a payload larger than a block, which is compressed while it is written. */
  async #encodeBlocks(groups: readonly PayloadGroup[]): Promise<Array<Uint8Array[] | undefined>> {
    // The list has its full length from the start, so that later blocks do not take the place of a large payload at the end.
    const blocks = groups.map((): Uint8Array[] | undefined => undefined);
    const left = groups.entries();
    const encode = async (worker: number) => {
      for (const [at, group] of left) {
        const { payloads, entry, isLarge } = group;
        if (usesDictionary(group)) blocks[at] = await encodeBlock(payloads, this.#dictionary, entry);
        else if (entry !== null && !isLarge) blocks[at] = await encodeBlock(payloads, null, entry);
        else if (!isLarge) blocks[at] = await this.#compressor(worker).encodeBlock(payloads);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_BLOCKS }, (_, worker) => encode(worker)));
    return blocks;
  }

  #compressor(worker: number): BlockCompressor {
    this.#compressors[worker] ??= new BlockCompressor();
    return this.#compressors[worker];
  }

  async close(): Promise<void> {
    this.#closeCompressors();
    await this.#file.close();
  }

  #closeCompressors(): void {
    // A worker that never had a large block has no compressor.
    for (const compressor of this.#compressors) compressor?.close();
  }

  /**
   * Ends the file after a failure. After a failed sync, the contents of the disk are unknown, so nothing more is written to this file. The
   * unfinished part is cut off, because a full disk would stay full of it.
   */
  async abandon(): Promise<void> {
    this.#closeCompressors();
    if (this.#endOffset > FILE_HEADER.length) await this.#file.truncate(this.#endOffset).catch(() => undefined);
    else await rm(this.#path, { force: true }).catch(() => undefined);
    await this.#file.close();
  }
}

interface PayloadGroup {
  payloads: Uint8Array[];
  bytes: number;
  /** True for a single payload that is larger than a block. */
  isLarge: boolean;
  /** Not null: the last payload is the log entry. */
  entry: BlockEntry | null;
}

function isSmall(group: PayloadGroup): boolean {
  return group.bytes < DICTIONARY_BELOW_BYTES;
}

/** A large entry alone has nothing in common with the payloads that make up a dictionary. */
function usesDictionary({ bytes, payloads, entry }: PayloadGroup): boolean {
  const isEntryAlone = entry !== null && payloads.length === 1;
  return bytes < (isEntryAlone ? DICTIONARY_BELOW_BYTES / 32 : DICTIONARY_BELOW_BYTES);
}

/** Groups payloads in their order, so that payloads that came together are stored together. */
function groupPayloads(payloads: readonly Uint8Array[]): PayloadGroup[] {
  const groups: PayloadGroup[] = [];
  for (const payload of payloads) {
    const last = groups.at(-1);
    if (last && !last.isLarge && last.bytes + payload.length <= BLOCK_BYTES) {
      last.payloads.push(payload);
      last.bytes += payload.length;
    } else {
      groups.push({ payloads: [payload], bytes: payload.length, isLarge: payload.length > BLOCK_BYTES, entry: null });
    }
  }
  return groups;
}

/** Returns the group with the entry: the only group, or a new one behind the others. */
function addEntry(groups: PayloadGroup[], bytes: Uint8Array, { isInside }: { isInside: boolean }): PayloadGroup {
  const [only] = groups;
  const isLarge = bytes.length > BLOCK_BYTES;
  if (isInside && only !== undefined && only.bytes + bytes.length <= BLOCK_BYTES) {
    only.payloads.push(bytes);
    only.bytes += bytes.length;
    only.entry = { blocksBefore: 0 };
    return only;
  }
  const group = { payloads: [bytes], bytes: bytes.length, isLarge, entry: { blocksBefore: groups.length } };
  groups.push(group);
  return group;
}

/** Writes piece by piece, so that no second copy is in memory. The header is written last, because it depends on the pieces. */
async function writeChunked(
  file: FileHandle,
  { payloads, entry }: Pick<PayloadGroup, "payloads" | "entry">,
  offset: number,
): Promise<number> {
  let end = offset + BLOCK_HEADER_BYTES;
  let bodyBytes = 0;
  let bodyCrc = 0;
  for (const payload of payloads) {
    for (let start = 0; start < payload.length; start += BLOCK_BYTES) {
      const chunk = payload.subarray(start, start + BLOCK_BYTES);
      const packed = await pack(chunk);
      const lengths = Buffer.allocUnsafe(8);
      lengths.writeUInt32LE(packed.length, 0);
      lengths.writeUInt32LE(chunk.length, 4);
      end = await writeAll(file, [lengths, packed], end);
      bodyCrc = crc32(packed, crc32(lengths, bodyCrc));
      bodyBytes += chunk.length;
    }
  }
  const storedBytes = end - offset - BLOCK_HEADER_BYTES;
  const codec = CODEC.chunked;
  const header = encodeHeader({ bodyCrc, storedBytes, bodyBytes, count: 1, codec, dictionaryOffset: 0, entry });
  await writeAll(file, [header], offset);
  return end;
}

/** Returns the offset behind the written bytes. */
async function writeAll(file: FileHandle, parts: Uint8Array[], offset: number): Promise<number> {
  if (parts.length === 0) return offset;
  const length = countBytes(parts);
  const { bytesWritten } = await file.writev(parts, offset);
  if (bytesWritten === length) return offset + length;
  // A short write without an error: the disk has become full, and the next write reports it.
  const rest = Buffer.concat(parts).subarray(bytesWritten);
  return await writeAll(file, [rest], offset + bytesWritten);
}

function countBytes(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

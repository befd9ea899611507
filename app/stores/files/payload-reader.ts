import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { LRUCache } from "lru-cache";
import { MIB } from "../../domain/bytes.ts";
import { ignoreMissing } from "../../missing-file.ts";
import { MemoryCache } from "../memory-cache.ts";
import { DamagedPayloadError, type PayloadRef } from "../payload-store.ts";
import { BLOCK_HEADER_BYTES, type BlockHeader, CODEC, parseHeader, payloadInBody, unpack } from "./payload-block.ts";
import { toFileName } from "./payload-file-names.ts";
import { type PayloadOffsets, readPayloadOffsets } from "./payload-offsets.ts";

export interface Block {
  header: BlockHeader;
  body: Uint8Array;
}

interface FileOffsets {
  inode: bigint;
  offsets: PayloadOffsets;
}

/** Files whose block positions are kept in memory. */
const MAX_KEPT_OFFSETS = 64;

/** Reads payloads, and keeps the blocks that were read last: the events of a page often lie in the same few. */
export class PayloadReader {
  readonly #dir: string;
  readonly #blocks: MemoryCache;
  readonly #maxKeptBytes: number;
  /** By file id, with the inode of the file: a rewritten file is another one under the same name. */
  readonly #offsets = new LRUCache<number, FileOffsets>({ max: MAX_KEPT_OFFSETS });

  constructor(dir: string, maxCachedBytes: number) {
    this.#dir = dir;
    this.#blocks = new MemoryCache({ maxBytes: maxCachedBytes });
    this.#maxKeptBytes = maxCachedBytes / 4;
  }

  /** Null when the file is gone. @throws {DamagedPayloadError} */
  async read({ fileId, offset, index }: PayloadRef): Promise<Uint8Array | null> {
    const block = await ignoreMissing(this.block(fileId, offset));
    if (block === null) return null;
    if (block.header.codec === CODEC.chunked) return block.body;
    // A copy: the block stays in the cache, and must not change with what the caller does.
    return Uint8Array.from(payloadInBody(block.body, block.header.count, index));
  }

  forget(fileIds: readonly number[]): void {
    this.#blocks.forget((key) => fileIds.some((fileId) => key.startsWith(`${fileId}:`)));
    for (const fileId of fileIds) this.#offsets.delete(fileId);
  }

  /** Reads a block by the offset that references name. @throws {DamagedPayloadError} */
  block(fileId: number, offset: number): Promise<Block> {
    return this.#blocks.get(`${fileId}:${offset}`, async () => {
      const file = await open(join(this.#dir, toFileName(fileId)), "r");
      let block: Block;
      try {
        const { inode, offsets } = await this.#offsetsOf(fileId, file);
        block = await this.#readBlock(file, offsets.placeOf(offset), `${fileId}:${inode}`);
      } finally {
        await file.close();
      }
      const bytes = block.body.length;
      // A large attachment is read once, and would push out most others.
      return { value: block, bytes, isLasting: block.header.codec !== CODEC.chunked && bytes <= this.#maxKeptBytes };
    });
  }

  async #offsetsOf(fileId: number, file: FileHandle): Promise<FileOffsets> {
    const { ino: inode } = await file.stat({ bigint: true });
    const known = this.#offsets.get(fileId);
    if (known?.inode === inode) return known;
    const read = { inode, offsets: await readPayloadOffsets(file) };
    this.#offsets.set(fileId, read);
    return read;
  }

  /** Reads a block by its place in the file. The dictionary that a block names is read the same way. */
  async #readBlock(file: FileHandle, at: number, fileKey: string): Promise<Block> {
    const header = parseHeader(await readExactly(file, at, BLOCK_HEADER_BYTES));
    const bodyOffset = at + BLOCK_HEADER_BYTES;
    if (header.codec === CODEC.chunked) return { header, body: await readChunked(file, bodyOffset, header) };
    const stored = await readExactly(file, bodyOffset, header.storedBytes);
    if (crc32(stored) !== header.bodyCrc) throw new DamagedPayloadError("the checksum of its block is wrong");
    if (header.codec === CODEC.raw) return { header, body: stored };
    const { dictionaryOffset } = header;
    const dictionary = dictionaryOffset > 0 ? await this.#readDictionary(file, dictionaryOffset, fileKey) : undefined;
    return { header, body: await unpack(stored, header.bodyBytes, dictionary) };
  }

  #readDictionary(file: FileHandle, at: number, fileKey: string): Promise<Uint8Array> {
    return this.#blocks.get(`${fileKey}:${at}`, async () => {
      const { body } = await this.#readBlock(file, at, fileKey);
      return { value: body, bytes: body.length, isLasting: body.length <= this.#maxKeptBytes };
    });
  }
}

async function readChunked(file: FileHandle, bodyOffset: number, header: BlockHeader): Promise<Uint8Array> {
  const body = new Uint8Array(header.bodyBytes);
  let bodyCrc = 0;
  let at = bodyOffset;
  let filled = 0;
  while (filled < body.length) {
    const lengths = await readExactly(file, at, 8);
    const stored = await readExactly(file, at + 8, lengths.readUInt32LE(0));
    const length = lengths.readUInt32LE(4);
    bodyCrc = crc32(stored, crc32(lengths, bodyCrc));
    if (length === 0 || filled + length > body.length) throw new DamagedPayloadError("its pieces are longer than it");
    body.set(stored.length === length ? stored : await unpack(stored, length), filled);
    filled += length;
    at += 8 + stored.length;
  }
  if (bodyCrc !== header.bodyCrc) throw new DamagedPayloadError("the checksum of its block is wrong");
  return body;
}

/** @throws {DamagedPayloadError} when the file ends before. */
async function readExactly(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { size } = length > SURE_BYTES ? await file.stat() : { size: Number.POSITIVE_INFINITY };
  if (offset + length > size) throw new DamagedPayloadError("its file ends before it does");
  const buffer = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) throw new DamagedPayloadError("its file ends before it does");
    filled += bytesRead;
  }
  return buffer;
}

/** Up to this size, memory is allocated without checking that the file is that long. */
const SURE_BYTES = 4 * MIB;

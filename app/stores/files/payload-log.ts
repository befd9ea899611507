import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { MIB } from "../../domain/bytes.ts";
import { ignoreMissing } from "../../missing-file.ts";
import { DamagedPayloadError, type PayloadLogPart, type PayloadRef } from "../payload-store.ts";
import { crcOfBytes } from "./crc-of-bytes.ts";
import { BLOCK_HEADER_BYTES, BLOCK_MAGIC, CODEC, parseHeader, payloadInBody } from "./payload-block.ts";
import { toFileName } from "./payload-file-names.ts";
import { readPayloadOffsets } from "./payload-offsets.ts";
import { PayloadReader } from "./payload-reader.ts";

/** Room for a dictionary and a block of small payloads. */
const CACHED_BYTES = 4 * MIB;

/** How many bytes are searched at once for the next block behind damage. */
const SEARCH_BYTES = MIB;

/** Payloads of an append whose entry has not come yet. */
interface OpenBlock {
  /** The offset that references name. */
  offset: number;
  count: number;
  /** Bytes of its body in the file, and their checksum. */
  from: number;
  to: number;
  bodyCrc: number;
}

/** See `PayloadStore.readLog`. Reads the headers of all blocks, and the bodies of those with an entry. */
export async function* readPayloadLog(
  dir: string,
  fileId: number,
  fromOffset: number,
): AsyncGenerator<PayloadLogPart, void> {
  const file = await ignoreMissing(open(join(dir, toFileName(fileId)), "r"));
  if (file === null) return;
  try {
    const reader = new PayloadReader(dir, CACHED_BYTES);
    const { size } = await file.stat();
    const offsets = await readPayloadOffsets(file);
    let offset = fromOffset > 0 ? fromOffset : await findBlock(file, 0, size);
    let before: OpenBlock[] = [];
    while (offset < size) {
      const header = await readHeader(file, offset, size);
      const endOffset = header === null ? size : offset + BLOCK_HEADER_BYTES + header.storedBytes;
      if (header === null || endOffset > size) {
        const next = await findBlock(file, offset + 1, size);
        // Bytes at the end of a file that a crash left were never acknowledged.
        if (next < size) yield { kind: "damaged", reason: "no block begins where it should", endOffset: next };
        offset = next;
        before = [];
        continue;
      }
      if (header.entry === null) {
        const { count, bodyCrc } = header;
        const from = offset + BLOCK_HEADER_BYTES;
        if (count > 0) before.push({ offset: offsets.nameOf(offset), count, from, to: endOffset, bodyCrc });
        offset = endOffset;
        continue;
      }
      const own = before.splice(Math.max(0, before.length - header.entry.blocksBefore));
      yield* tellUnlisted(before, offset);
      before = [];
      try {
        const block = await reader.block(fileId, offsets.nameOf(offset));
        const last = header.count - 1;
        const bytes = header.codec === CODEC.chunked ? block.body : payloadInBody(block.body, header.count, last);
        const areAllThere = own.length === header.entry.blocksBefore;
        const refs = areAllThere
          ? [...own, { offset: offsets.nameOf(offset), count: last }].flatMap((each) => toRefs(fileId, each))
          : [];
        const damaged = { fileId, offset: offsets.nameOf(offset), index: -1 };
        const findDamagedBlocks = async () => (areAllThere ? await findDamaged(file, own) : [damaged.offset]);
        yield { kind: "entry", bytes, refOf: (place) => refs[place] ?? damaged, findDamagedBlocks, endOffset };
      } catch (error) {
        if (!(error instanceof DamagedPayloadError)) throw error;
        yield { kind: "damaged", reason: error.message, endOffset };
      }
      offset = endOffset;
    }
    yield* tellUnlisted(before, size);
  } finally {
    await file.close();
  }
}

function* tellUnlisted(blocks: readonly OpenBlock[], endOffset: number): Generator<PayloadLogPart> {
  const payloads = blocks.reduce((sum, { count }) => sum + count, 0);
  if (payloads > 0) yield { kind: "unlisted", payloads, endOffset };
}

async function findDamaged(file: FileHandle, blocks: readonly OpenBlock[]): Promise<number[]> {
  const damaged: number[] = [];
  for (const { offset, from, to, bodyCrc } of blocks)
    if ((await crcOfBytes(file, from, to)) !== bodyCrc) damaged.push(offset);
  return damaged;
}

function toRefs(fileId: number, { offset, count }: Pick<OpenBlock, "offset" | "count">): PayloadRef[] {
  return Array.from({ length: count }, (_, index) => ({ fileId, offset, index }));
}

/** Null if there is no readable header. */
export async function readHeader(file: FileHandle, offset: number, size: number) {
  if (offset + BLOCK_HEADER_BYTES > size) return null;
  const bytes = Buffer.allocUnsafe(BLOCK_HEADER_BYTES);
  const { bytesRead } = await file.read(bytes, 0, BLOCK_HEADER_BYTES, offset);
  try {
    return parseHeader(bytes.subarray(0, bytesRead));
  } catch (error) {
    if (error instanceof DamagedPayloadError) return null;
    throw error;
  }
}

/** The first offset from `from` on at which a block begins. `size` when there is none. */
export async function findBlock(file: FileHandle, from: number, size: number): Promise<number> {
  const bytes = Buffer.allocUnsafe(SEARCH_BYTES);
  for (let start = from; start < size; ) {
    const { bytesRead } = await file.read(bytes, 0, SEARCH_BYTES, start);
    if (bytesRead < BLOCK_MAGIC.length) break;
    const read = bytes.subarray(0, bytesRead);
    for (let at = read.indexOf(BLOCK_MAGIC); at !== -1; at = read.indexOf(BLOCK_MAGIC, at + 1)) {
      if ((await readHeader(file, start + at, size)) !== null) return start + at;
    }
    start += bytesRead - BLOCK_MAGIC.length + 1;
  }
  return size;
}

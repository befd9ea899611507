import { existsSync, renameSync } from "node:fs";
import { copyFile, type FileHandle, constants as fsConstants, open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { MIB } from "../../domain/bytes.ts";
import { syncFolder } from "../../durable-file.ts";
import type { PayloadRange } from "../payload-store.ts";
import { BLOCK_HEADER_BYTES, encodeBlock } from "./payload-block.ts";
import { toFileName } from "./payload-file-names.ts";
import { findBlock, readHeader } from "./payload-log.ts";
import { readPayloadOffsets } from "./payload-offsets.ts";

/** The most payloads that one entry names: its rows are a megabyte. */
const PAYLOADS_OF_ENTRY = 1_000;
/** Uncompressed: spans and logs in them become rows of the entry (jobs/old-items). */
const BYTES_OF_ENTRY = 8 * MIB;
/** The most blocks of an entry. Many small blocks have few payloads, and all offsets of a range are compared in one query. */
const BLOCKS_OF_ENTRY = 1_000;

interface AddOptions {
  reserveBytes: number;
  signal?: AbortSignal;
  /** Waited for after each entry, so that others get the disk and the processor. */
  pause?: () => Promise<void>;
}

/**
 * See `PayloadStore.addEntries`. The copy has the same bytes, because references and backups name offsets and files as they are. The
 * first entry counts every block before it as its own: from then on, none is without an entry.
 */
export async function addEntries(
  dir: string,
  fileId: number,
  describe: (range: PayloadRange) => Promise<Uint8Array>,
  options: AddOptions,
): Promise<number> {
  const path = join(dir, toFileName(fileId));
  if (!existsSync(path)) return 0;
  const found = await findUnnamed(path, fileId);
  if (found.ranges.length === 0) return 0;
  const { bavail, bsize } = await statfs(dir);
  const free = bavail * bsize;
  if (free < found.endOffset + options.reserveBytes)
    throw new Error(`a copy of ${path} takes ${found.endOffset} bytes, and the disk has ${free} free`);
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  try {
    await copyFile(path, draft, fsConstants.COPYFILE_FICLONE);
    await writeEntries(draft, found, describe, options);
    // Retention may have deleted it meanwhile.
    if (existsSync(path)) renameSync(draft, path);
    await syncFolder(dir);
  } finally {
    await rm(draft, { force: true });
  }
  return found.ranges.reduce((sum, { payloads }) => sum + payloads, 0);
}

async function writeEntries(
  draft: string,
  { ranges, blocks, endOffset }: Unnamed,
  describe: (range: PayloadRange) => Promise<Uint8Array>,
  { signal, pause }: AddOptions,
): Promise<void> {
  const file = await open(draft, "r+");
  try {
    // A part at the end that a crash left is no block.
    await file.truncate(endOffset);
    let offset = endOffset;
    for (const [at, range] of ranges.entries()) {
      signal?.throwIfAborted();
      const entry = { blocksBefore: at === 0 ? blocks : 0 };
      const block = Buffer.concat(await encodeBlock([await describe(range)], null, entry));
      for (let written = 0; written < block.length; ) {
        const { bytesWritten } = await file.write(block, written, block.length - written, offset);
        written += bytesWritten;
        offset += bytesWritten;
      }
      await pause?.();
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

interface Unnamed {
  ranges: PayloadRange[];
  /** Blocks without an entry. */
  blocks: number;
  /** Offset behind the last block. */
  endOffset: number;
}

/** Reads the headers of all blocks. */
async function findUnnamed(path: string, fileId: number): Promise<Unnamed> {
  const file = await open(path, "r");
  try {
    const unnamed: UnnamedBlock[] = [];
    let end = 0;
    const offsets = await readPayloadOffsets(file);
    for await (const { at, endOffset, header } of blocksOf(file)) {
      end = endOffset;
      if (header.count === 0) continue;
      if (header.entry === null) {
        const from = offsets.nameOf(at);
        unnamed.push({ fileId, from, to: from + 1, payloads: header.count, bytes: header.bodyBytes });
      } else {
        unnamed.splice(Math.max(0, unnamed.length - header.entry.blocksBefore));
      }
    }
    return { ranges: joinRanges(unnamed), blocks: unnamed.length, endOffset: end };
  } finally {
    await file.close();
  }
}

async function* blocksOf(file: FileHandle) {
  const { size } = await file.stat();
  for (let at = await findBlock(file, 0, size); at < size; ) {
    const header = await readHeader(file, at, size);
    const endOffset = header === null ? size + 1 : at + BLOCK_HEADER_BYTES + header.storedBytes;
    if (header === null || endOffset > size) {
      at = await findBlock(file, at + 1, size);
      continue;
    }
    yield { at, endOffset, header };
    at = endOffset;
  }
}

interface UnnamedBlock extends PayloadRange {
  /** Bytes of its body, uncompressed. */
  bytes: number;
}

function joinRanges(blocks: readonly UnnamedBlock[]): PayloadRange[] {
  const ranges: PayloadRange[] = [];
  let joined = 0;
  let joinedBytes = 0;
  for (const { bytes, ...block } of blocks) {
    const last = ranges.at(-1);
    const isRoom = joined < BLOCKS_OF_ENTRY && joinedBytes + bytes <= BYTES_OF_ENTRY;
    if (last && isRoom && last.payloads + block.payloads <= PAYLOADS_OF_ENTRY) {
      last.to = block.to;
      last.payloads += block.payloads;
      joined++;
      joinedBytes += bytes;
    } else {
      ranges.push(block);
      joined = 1;
      joinedBytes = bytes;
    }
  }
  return ranges;
}

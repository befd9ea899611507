import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { MIB } from "../../domain/bytes.ts";
import { syncFolder } from "../../durable-file.ts";
import { DamagedPayloadError, type ErasedAppend } from "../payload-store.ts";
import { ErasedFile } from "./erased-file.ts";
import { BLOCK_HEADER_BYTES, type BlockHeader, CODEC, payloadInBody } from "./payload-block.ts";
import { signalOfFile, toFileName } from "./payload-file-names.ts";
import { findBlock, readHeader, readPayloadLog } from "./payload-log.ts";
import { type PayloadOffsets, readPayloadOffsets } from "./payload-offsets.ts";
import { PayloadReader } from "./payload-reader.ts";

type Decide = (entry: Uint8Array) => Promise<ErasedAppend | null>;

interface EraseOptions {
  signal?: AbortSignal;
  /** Waited for after each append, so that others get the disk and the processor. */
  pause?: () => Promise<void>;
}

/** Room for a dictionary and a block. */
const CACHED_BYTES = 4 * MIB;

/**
 * See `PayloadStore.erase`. The file is read once to see whether anything is to be erased, and then written under another name: block
 * by block, each with as many payloads as it had. One append is in memory at a time, as it was when it was written.
 */
export async function erasePayloads(
  dir: string,
  fileId: number,
  decide: Decide,
  options: EraseOptions = {},
): Promise<number> {
  const concerned = await findConcerned(dir, fileId, decide, options);
  if (concerned === null) return 0;
  const path = join(dir, toFileName(fileId));
  const draft = `${path}.new`;
  const source = await open(path, "r");
  try {
    const target = await ErasedFile.create(draft);
    try {
      const copy = new Copy(
        source,
        await readPayloadOffsets(source),
        new PayloadReader(dir, CACHED_BYTES),
        fileId,
        target,
        concerned,
      );
      const erased = await copy.run(decide, options);
      await target.finish();
      await rename(draft, path);
      await syncFolder(dir);
      return erased;
    } catch (error) {
      await target.abandon();
      await rm(draft, { force: true });
      throw error;
    }
  } finally {
    await source.close();
  }
}

/** Indexes of payloads, by the offset that references give of their block. */
type NamedPayloads = ReadonlyMap<number, ReadonlySet<number>>;

/** What entries name by references; null: nothing is to be erased. */
async function findConcerned(
  dir: string,
  fileId: number,
  decide: Decide,
  { signal, pause }: EraseOptions,
): Promise<NamedPayloads | null> {
  const named = new Map<number, Set<number>>();
  // Only in files of earlier versions do entries come after all that they name.
  const mayName = signalOfFile(fileId) === null;
  let isConcerned = false;
  for await (const part of readPayloadLog(dir, fileId, 0)) {
    signal?.throwIfAborted();
    const decided = part.kind === "entry" ? await decide(part.bytes) : null;
    if (decided !== null) {
      if (!mayName) return named;
      isConcerned = true;
      for (const { offset, index } of decided.refs ?? []) {
        const indexes = named.get(offset) ?? new Set();
        named.set(offset, indexes.add(index));
      }
    }
    await pause?.();
  }
  return isConcerned ? named : null;
}

interface SourceBlock {
  /** Offset in the file that is read. */
  at: number;
  header: BlockHeader;
}

class Copy {
  readonly #source: FileHandle;
  readonly #offsets: PayloadOffsets;
  readonly #reader: PayloadReader;
  readonly #fileId: number;
  readonly #target: ErasedFile;
  readonly #named: NamedPayloads;
  #erased = 0;

  constructor(
    source: FileHandle,
    offsets: PayloadOffsets,
    reader: PayloadReader,
    fileId: number,
    target: ErasedFile,
    named: NamedPayloads,
  ) {
    this.#source = source;
    this.#offsets = offsets;
    this.#reader = reader;
    this.#fileId = fileId;
    this.#target = target;
    this.#named = named;
  }

  async run(decide: Decide, { signal, pause }: EraseOptions): Promise<number> {
    const { size } = await this.#source.stat();
    let before: SourceBlock[] = [];
    for (let at = await findBlock(this.#source, 0, size); at < size; ) {
      signal?.throwIfAborted();
      const header = await readHeader(this.#source, at, size);
      const endOffset = header === null ? size + 1 : at + BLOCK_HEADER_BYTES + header.storedBytes;
      if (header === null || endOffset > size) {
        // Behind damage, as the log is read. Blocks before it belong to no entry.
        for (const block of before) await this.#copyBlock(block, NOTHING, null);
        before = [];
        at = await findBlock(this.#source, at + 1, size);
        continue;
      }
      const block = { at, header };
      at = endOffset;
      // A dictionary, or the map of a file that was written again.
      if (header.count === 0) continue;
      before.push(block);
      if (header.entry === null) continue;
      await this.#copyAppend(before, decide);
      before = [];
      await pause?.();
    }
    for (const block of before) await this.#copyBlock(block, NOTHING, null);
    return this.#erased;
  }

  async #copyAppend(blocks: SourceBlock[], decide: Decide): Promise<void> {
    const last = blocks.at(-1) as SourceBlock;
    const own = blocks.splice(Math.max(0, blocks.length - 1 - (last.header.entry?.blocksBefore ?? 0)));
    for (const block of blocks) await this.#copyBlock(block, NOTHING, null);
    const decided = await this.#decide(last, decide);
    // Where blocks are missing, nobody knows which place each payload had.
    const areAllThere = own.length === 1 + (last.header.entry?.blocksBefore ?? 0);
    let place = 0;
    for (const block of own) {
      const count = block.header.count - (block === last ? 1 : 0);
      const erased = new Set<number>();
      for (let index = 0; index < count; index++) if (decided?.places.has(place + index)) erased.add(index);
      place += count;
      if (decided !== null && decided.refs === undefined && !areAllThere)
        for (let index = 0; index < count; index++) erased.add(index);
      await this.#copyBlock(block, erased, block === last ? (decided?.entry ?? null) : null);
    }
  }

  async #decide(last: SourceBlock, decide: Decide): Promise<ErasedAppend | null> {
    try {
      return await decide((await this.#payloadsOf(last)).at(-1) as Uint8Array);
    } catch (error) {
      if (error instanceof DamagedPayloadError) return null;
      throw error;
    }
  }

  /** `entry`: what takes the place of the last payload; null: it stays. */
  async #copyBlock(block: SourceBlock, unnamed: ReadonlySet<number>, entry: Uint8Array | null): Promise<void> {
    const { at, header } = block;
    const name = this.#offsets.nameOf(at);
    const named = this.#named.get(name);
    const erased = named === undefined ? unnamed : new Set([...unnamed, ...named]);
    this.#erased += erased.size;
    const isChanged = erased.size > 0 || entry !== null;
    if (!isChanged && (header.codec === CODEC.chunked || header.dictionaryOffset === 0)) {
      await this.#target.copy(name, this.#source, at, BLOCK_HEADER_BYTES + header.storedBytes);
      return;
    }
    let payloads: Uint8Array[];
    try {
      payloads = await this.#payloadsOf(block);
    } catch (error) {
      // It cannot be read where it is, and is not read where it is not.
      if (error instanceof DamagedPayloadError) return;
      throw error;
    }
    const kept = payloads.map((payload, index) => (erased.has(index) ? new Uint8Array(0) : payload));
    if (entry !== null) kept[kept.length - 1] = entry;
    await this.#target.add(name, kept, header.entry);
  }

  async #payloadsOf({ at, header }: SourceBlock): Promise<Uint8Array[]> {
    const { body } = await this.#reader.block(this.#fileId, this.#offsets.nameOf(at));
    if (header.codec === CODEC.chunked) return [body];
    return Array.from({ length: header.count }, (_, index) => payloadInBody(body, header.count, index));
  }
}

const NOTHING: ReadonlySet<number> = new Set();

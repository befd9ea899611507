import { existsSync } from "node:fs";
import { type FileHandle, open, rename, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { MIB } from "../../domain/bytes.ts";
import { syncFolder } from "../../durable-file.ts";
import {
  DamagedPayloadError,
  type ErasedAppend,
  type PayloadRef,
  type RewritePayload,
  type RewrittenAppend,
} from "../payload-store.ts";
import { ErasedFile } from "./erased-file.ts";
import { BLOCK_HEADER_BYTES, type BlockHeader, CODEC, payloadInBody } from "./payload-block.ts";
import { signalOfFile, toFileName } from "./payload-file-names.ts";
import { findBlock, readHeader, readPayloadLog } from "./payload-log.ts";
import { type PayloadOffsets, readPayloadOffsets } from "./payload-offsets.ts";
import { PayloadReader } from "./payload-reader.ts";

type Decide = (entry: Uint8Array, refOf: (place: number) => PayloadRef) => Promise<RewrittenAppend | null>;

interface RewriteOptions {
  /** Bytes that the disk must have free in addition to the new file. */
  reserveBytes?: number;
  /** Ends with `DamagedPayloadError` at a block that cannot be read. Absent: such a block is left out. */
  keepsDamaged?: boolean;
  signal?: AbortSignal;
  /** Waited for after each append, so that others get the disk and the processor. */
  pause?: () => Promise<void>;
}

/** Room for a dictionary and a block. */
const CACHED_BYTES = 4 * MIB;

const toNothing: RewritePayload = () => new Uint8Array(0);

/** See `PayloadStore.erase`. */
export async function erasePayloads(
  dir: string,
  fileId: number,
  decide: (entry: Uint8Array) => Promise<ErasedAppend | null>,
  options: RewriteOptions = {},
): Promise<number> {
  const toRewritten = async (bytes: Uint8Array): Promise<RewrittenAppend | null> => {
    const erased = await decide(bytes);
    if (erased === null) return null;
    const { places, refs, entry } = erased;
    return {
      places: new Map(Array.from(places, (place) => [place, toNothing])),
      ...(refs && { refs: refs.map((ref) => ({ ...ref, rewrite: toNothing })) }),
      entry,
    };
  };
  return await rewritePayloads(dir, fileId, toRewritten, options);
}

/**
 * See `PayloadStore.rewrite`. The file is read once to see whether anything is to be changed, and then written under another name: block
 * by block, each with as many payloads as it had. One append is in memory at a time, as it was when it was written.
 */
export async function rewritePayloads(
  dir: string,
  fileId: number,
  decide: Decide,
  options: RewriteOptions,
): Promise<number> {
  const concerned = await findConcerned(dir, fileId, decide, options);
  if (concerned === null) return 0;
  const path = join(dir, toFileName(fileId));
  const draft = `${path}.new`;
  const source = await open(path, "r");
  try {
    await expectRoom(dir, (await source.stat()).size, options.reserveBytes);
    const target = await ErasedFile.create(draft);
    try {
      const copy = new Copy(
        source,
        await readPayloadOffsets(source),
        new PayloadReader(dir, CACHED_BYTES),
        fileId,
        target,
        concerned,
        options.keepsDamaged === true,
      );
      const rewritten = await copy.run(decide, options);
      await target.finish();
      // Retention may have deleted it meanwhile.
      if (existsSync(path)) await rename(draft, path);
      else await rm(draft, { force: true });
      await syncFolder(dir);
      return rewritten;
    } catch (error) {
      await target.abandon();
      await rm(draft, { force: true });
      throw error;
    }
  } finally {
    await source.close();
  }
}

/** Deleting must be possible on a full disk, too: then it is tried, and nothing is reserved. */
async function expectRoom(dir: string, bytes: number, reserveBytes: number | undefined): Promise<void> {
  if (reserveBytes === undefined) return;
  const { bavail, bsize } = await statfs(dir);
  if (bavail * bsize < bytes + reserveBytes)
    throw new Error(`a copy of a payload file takes ${bytes} bytes, and the disk has ${bavail * bsize} free`);
}

/** By index in their block. */
type RewrittenPayloads = ReadonlyMap<number, RewritePayload>;
/** By the offset by which references name the block. */
type NamedPayloads = ReadonlyMap<number, RewrittenPayloads>;

/** The payloads that entries name by references. Null: nothing is to be changed. */
async function findConcerned(
  dir: string,
  fileId: number,
  decide: Decide,
  { signal, pause }: RewriteOptions,
): Promise<NamedPayloads | null> {
  const named = new Map<number, Map<number, RewritePayload>>();
  // Only in files of earlier versions do entries come after all that they name.
  const mayName = signalOfFile(fileId) === null;
  let isConcerned = false;
  for await (const part of readPayloadLog(dir, fileId, 0)) {
    signal?.throwIfAborted();
    const decided = part.kind === "entry" ? await decide(part.bytes, part.refOf) : null;
    if (decided !== null) {
      if (!mayName) return named;
      isConcerned = true;
      for (const { offset, index, rewrite } of decided.refs ?? []) {
        const indexes = named.get(offset) ?? new Map();
        named.set(offset, indexes.set(index, rewrite));
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
  readonly #keepsDamaged: boolean;
  #rewritten = 0;

  constructor(
    source: FileHandle,
    offsets: PayloadOffsets,
    reader: PayloadReader,
    fileId: number,
    target: ErasedFile,
    named: NamedPayloads,
    keepsDamaged: boolean,
  ) {
    this.#source = source;
    this.#offsets = offsets;
    this.#reader = reader;
    this.#fileId = fileId;
    this.#target = target;
    this.#named = named;
    this.#keepsDamaged = keepsDamaged;
  }

  async run(decide: Decide, { signal, pause }: RewriteOptions): Promise<number> {
    const { size } = await this.#source.stat();
    let before: SourceBlock[] = [];
    for (let at = await findBlock(this.#source, 0, size); at < size; ) {
      signal?.throwIfAborted();
      const header = await readHeader(this.#source, at, size);
      const endOffset = header === null ? size + 1 : at + BLOCK_HEADER_BYTES + header.storedBytes;
      if (header === null || endOffset > size) {
        // Continues behind damage, as the reader of the log does. The blocks before it belong to no entry.
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
    return this.#rewritten;
  }

  async #copyAppend(blocks: SourceBlock[], decide: Decide): Promise<void> {
    const last = blocks.at(-1) as SourceBlock;
    const own = blocks.splice(Math.max(0, blocks.length - 1 - (last.header.entry?.blocksBefore ?? 0)));
    for (const block of blocks) await this.#copyBlock(block, NOTHING, null);
    // If blocks are missing, the places of the payloads are unknown.
    const areAllThere = own.length === 1 + (last.header.entry?.blocksBefore ?? 0);
    const countOf = (block: SourceBlock) => block.header.count - (block === last ? 1 : 0);
    const refs = areAllThere ? own.flatMap((block) => this.#refsOf(block, countOf(block))) : [];
    const decided = await this.#decide(last, refs, decide);
    let place = 0;
    for (const block of own) {
      const rewritten = new Map<number, RewritePayload>();
      for (let index = 0; index < countOf(block); index++, place++) {
        const rewrite = decided?.places.get(place);
        if (rewrite !== undefined) rewritten.set(index, rewrite);
        else if (decided !== null && decided.refs === undefined && !areAllThere) rewritten.set(index, toNothing);
      }
      await this.#copyBlock(block, rewritten, block === last ? (decided?.entry ?? null) : null);
    }
  }

  #refsOf({ at }: SourceBlock, count: number): PayloadRef[] {
    const offset = this.#offsets.nameOf(at);
    return Array.from({ length: count }, (_, index) => ({ fileId: this.#fileId, offset, index }));
  }

  async #decide(last: SourceBlock, refs: readonly PayloadRef[], decide: Decide): Promise<RewrittenAppend | null> {
    const damaged = { fileId: this.#fileId, offset: this.#offsets.nameOf(last.at), index: -1 };
    try {
      return await decide((await this.#payloadsOf(last)).at(-1) as Uint8Array, (place) => refs[place] ?? damaged);
    } catch (error) {
      if (error instanceof DamagedPayloadError) return null;
      throw error;
    }
  }

  /** `entry`: what takes the place of the last payload; null: it stays. */
  async #copyBlock(block: SourceBlock, unnamed: RewrittenPayloads, entry: Uint8Array | null): Promise<void> {
    const { at, header } = block;
    const name = this.#offsets.nameOf(at);
    const named = this.#named.get(name);
    const rewritten = named === undefined ? unnamed : new Map([...unnamed, ...named]);
    this.#rewritten += rewritten.size;
    const isChanged = rewritten.size > 0 || entry !== null;
    if (!isChanged && (header.codec === CODEC.chunked || header.dictionaryOffset === 0)) {
      await this.#target.copy(name, this.#source, at, BLOCK_HEADER_BYTES + header.storedBytes);
      return;
    }
    let payloads: Uint8Array[];
    try {
      payloads = await this.#payloadsOf(block);
    } catch (error) {
      // A damaged payload is dropped, unless damaged payloads are kept.
      if (error instanceof DamagedPayloadError && !this.#keepsDamaged) return;
      throw error;
    }
    const kept = payloads.map((payload, index) => rewritten.get(index)?.(payload) ?? payload);
    if (entry !== null) kept[kept.length - 1] = entry;
    await this.#target.add(name, kept, header.entry);
  }

  async #payloadsOf({ at, header }: SourceBlock): Promise<Uint8Array[]> {
    const { body } = await this.#reader.block(this.#fileId, this.#offsets.nameOf(at));
    if (header.codec === CODEC.chunked) return [body];
    return Array.from({ length: header.count }, (_, index) => payloadInBody(body, header.count, index));
  }
}

const NOTHING: RewrittenPayloads = new Map();

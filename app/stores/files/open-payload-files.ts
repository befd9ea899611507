import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInTurn } from "../../domain/in-turn.ts";
import { type Cutoffs, STORED_SIGNALS, type StoredSignal } from "../../domain/stored-signal.ts";
import { findSize } from "../../missing-file.ts";
import type {
  ErasedAppend,
  PayloadFile,
  PayloadLogPart,
  PayloadPlace,
  PayloadRange,
  PayloadRef,
  PayloadStore,
  RewrittenAppend,
} from "../payload-store.ts";
import { addEntries } from "./add-entries.ts";
import { dayOf, dayOfFile, endOfDay, signalOfFile, toFileName } from "./payload-file-names.ts";
import { readPayloadLog } from "./payload-log.ts";
import { PayloadReader } from "./payload-reader.ts";
import { listPayloadFiles, PayloadStream } from "./payload-stream.ts";
import { erasePayloads, rewritePayloads } from "./rewrite-payloads.ts";

export interface PayloadFilesOptions {
  /** Made when it is missing. */
  dir: string;
  /** A file is closed, and the next one begun, when it is larger. */
  maxFileBytes?: number;
  /** The memory for blocks that were read, decompressed. */
  maxCachedBytes?: number;
}

const MAX_FILE_BYTES = 256_000_000;
const MAX_CACHED_BYTES = 16_000_000;

/**
 * Payloads in files by signal and by the day on which they came (UTC). Any number of threads may have the same folder open; each
 * writes files of its own, and none is made before something is appended.
 */
export async function openPayloadFiles(options: PayloadFilesOptions): Promise<PayloadStore> {
  await mkdir(options.dir, { recursive: true });
  return new PayloadFiles(options);
}

class PayloadFiles implements PayloadStore {
  readonly #dir: string;
  readonly #reader: PayloadReader;
  readonly #streams: ReadonlyMap<StoredSignal, PayloadStream>;
  /** For replacements: of two for the same file at once, one would undo the other. */
  readonly #inTurn = createInTurn();
  #isClosed = false;

  constructor({ dir, maxFileBytes = MAX_FILE_BYTES, maxCachedBytes = MAX_CACHED_BYTES }: PayloadFilesOptions) {
    this.#dir = dir;
    this.#reader = new PayloadReader(dir, maxCachedBytes);
    this.#streams = new Map(STORED_SIGNALS.map((signal) => [signal, new PayloadStream(dir, signal, { maxFileBytes })]));
  }

  async append(
    payloads: readonly Uint8Array[],
    { receivedAt, signal, entry }: PayloadPlace & { entry?: Promise<Uint8Array> },
  ): Promise<PayloadRef[]> {
    if (payloads.length === 0 && entry === undefined) return [];
    return await (this.#streams.get(signal) as PayloadStream).append(payloads, dayOf(receivedAt), entry);
  }

  async listFiles(): Promise<PayloadFile[]> {
    const fileIds = (await listPayloadFiles(this.#dir)).sort((a, b) => dayOfFile(a) - dayOfFile(b) || a - b);
    return await Promise.all(
      fileIds.map(async (fileId) => ({
        fileId,
        bytes: await this.#sizeOf(fileId),
        day: dayOfFile(fileId),
        signal: signalOfFile(fileId),
      })),
    );
  }

  readLog(fileId: number, fromOffset: number): AsyncIterable<PayloadLogPart> {
    return readPayloadLog(this.#dir, fileId, fromOffset);
  }

  read(ref: PayloadRef): Promise<Uint8Array | null> {
    if (this.#isClosed) return Promise.reject(new Error("the payload files are closed"));
    return this.#reader.read(ref);
  }

  async seal(): Promise<void> {
    await Promise.all([...this.#streams.values()].map((stream) => stream.seal()));
  }

  async erase(
    fileId: number,
    decide: (entry: Uint8Array) => Promise<ErasedAppend | null>,
    options: { signal?: AbortSignal; pause?: () => Promise<void> } = {},
  ): Promise<number> {
    return await this.#replace(fileId, () => erasePayloads(this.#dir, fileId, decide, options));
  }

  async rewrite(
    fileId: number,
    decide: (entry: Uint8Array, refOf: (place: number) => PayloadRef) => Promise<RewrittenAppend | null>,
    options: { reserveBytes: number; signal?: AbortSignal; pause?: () => Promise<void> },
  ): Promise<number> {
    return await this.#replace(fileId, () =>
      rewritePayloads(this.#dir, fileId, decide, { ...options, keepsDamaged: true }),
    );
  }

  async addEntries(
    fileId: number,
    describe: (range: PayloadRange) => Promise<Uint8Array>,
    options: { reserveBytes: number; signal?: AbortSignal; pause?: () => Promise<void> },
  ): Promise<number> {
    return await this.#replace(fileId, () => addEntries(this.#dir, fileId, describe, options));
  }

  async #replace(fileId: number, work: () => Promise<number>): Promise<number> {
    const changed = await this.#inTurn(work);
    this.#reader.forget([fileId]);
    return changed;
  }

  async dropBefore(cutoffs: Cutoffs): Promise<number> {
    const lastCutoff = Math.min(...Object.values(cutoffs));
    const isOver = (fileId: number) => {
      const signal = signalOfFile(fileId);
      return endOfDay(dayOfFile(fileId)) <= (signal === null ? lastCutoff : cutoffs[signal]);
    };
    const dropped = (await listPayloadFiles(this.#dir)).filter(isOver);
    if (dropped.length === 0) return 0;
    const droppedIds = new Set(dropped);
    for (const stream of this.#streams.values()) await stream.retireFiles(droppedIds);
    let bytes = 0;
    for (const fileId of dropped) {
      bytes += await this.#sizeOf(fileId);
      await rm(join(this.#dir, toFileName(fileId)), { force: true });
    }
    this.#reader.forget(dropped);
    return bytes;
  }

  async bytesOnDisk(): Promise<number> {
    const sizes = await Promise.all((await listPayloadFiles(this.#dir)).map((fileId) => this.#sizeOf(fileId)));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#streams.values()].map((stream) => stream.close()));
  }

  /** 0 when it was deleted in the meantime. */
  async #sizeOf(fileId: number): Promise<number> {
    return (await findSize(join(this.#dir, toFileName(fileId)))) ?? 0;
  }
}

import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { PayloadFile, PayloadLogPart, PayloadRef, PayloadStore } from "../payload-store.ts";
import { dayOf, dayOfFile, endOfDay, parseFileName, toFileId, toFileName } from "./payload-file-names.ts";
import { readPayloadLog } from "./payload-log.ts";
import { PayloadReader } from "./payload-reader.ts";
import { PayloadWriter } from "./payload-writer.ts";

export interface PayloadFilesOptions {
  /** Made when it is missing. */
  dir: string;
  /** A file is closed, and the next one begun, when it is larger. */
  maxFileBytes?: number;
  /** Of blocks that were read, before compression. */
  maxCachedBytes?: number;
}

const MAX_FILE_BYTES = 256_000_000;
const MAX_CACHED_BYTES = 16_000_000;

/** The day that is, and the one before or after it around midnight. */
const MAX_OPEN_WRITERS = 2;

/**
 * Payloads in files by the day on which they came (UTC). Any number of threads may have the same folder open; each writes
 * files of its own, and none is made before something is appended.
 */
export async function openPayloadFiles(options: PayloadFilesOptions): Promise<PayloadStore> {
  await mkdir(options.dir, { recursive: true });
  return new PayloadFiles(options);
}

class PayloadFiles implements PayloadStore {
  readonly #dir: string;
  readonly #maxFileBytes: number;
  readonly #reader: PayloadReader;
  /** By day, the least recently used first. */
  readonly #writers = new Map<number, PayloadWriter>();
  /** The last file that was made of each day, though it may be gone: a reference to it must not find another. */
  readonly #lastFileIds = new Map<number, number>();
  #lastAppend: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor({ dir, maxFileBytes = MAX_FILE_BYTES, maxCachedBytes = MAX_CACHED_BYTES }: PayloadFilesOptions) {
    this.#dir = dir;
    this.#maxFileBytes = maxFileBytes;
    this.#reader = new PayloadReader(dir, maxCachedBytes);
  }

  append(
    payloads: readonly Uint8Array[],
    at: { receivedAt: number; entry?: Promise<Uint8Array> },
  ): Promise<PayloadRef[]> {
    // The writer asks for it late, and not at all when it fails before.
    at.entry?.catch(() => undefined);
    return this.#inTurn(async () => {
      if (payloads.length === 0 && at.entry === undefined) return [];
      let isEntryMissing = false;
      const entry = at.entry?.catch((error: unknown) => {
        isEntryMissing = true;
        throw error;
      });
      entry?.catch(() => undefined);
      const day = dayOf(at.receivedAt);
      const writer = await this.#writerOf(day);
      try {
        return await writer.append(payloads, entry);
      } catch (error) {
        // Without its entry, nothing was written.
        if (isEntryMissing) throw error;
        this.#writers.delete(day);
        await writer.abandon();
        throw error;
      }
    });
  }

  async listFiles(): Promise<PayloadFile[]> {
    const fileIds = (await this.#listFiles()).sort((a, b) => a - b);
    return await Promise.all(fileIds.map(async (fileId) => ({ fileId, bytes: await this.#sizeOf(fileId) })));
  }

  readLog(fileId: number, fromOffset: number): AsyncIterable<PayloadLogPart> {
    return readPayloadLog(this.#dir, fileId, fromOffset);
  }

  read(ref: PayloadRef): Promise<Uint8Array | null> {
    if (this.#isClosed) return Promise.reject(new Error("the payload files are closed"));
    return this.#reader.read(ref);
  }

  dropBefore(instantMs: number): Promise<number> {
    return this.#inTurn(async () => {
      const dropped = (await this.#listFiles()).filter((fileId) => endOfDay(dayOfFile(fileId)) <= instantMs);
      let bytes = 0;
      for (const fileId of dropped) {
        if (this.#writers.get(dayOfFile(fileId))?.fileId === fileId) await this.#retire(dayOfFile(fileId));
        bytes += await this.#sizeOf(fileId);
        await rm(join(this.#dir, toFileName(fileId)), { force: true });
      }
      this.#reader.forget(dropped);
      return bytes;
    });
  }

  async bytesOnDisk(): Promise<number> {
    const sizes = await Promise.all((await this.#listFiles()).map((fileId) => this.#sizeOf(fileId)));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#inTurn(async () => {
      this.#isClosed = true;
      for (const day of [...this.#writers.keys()]) await this.#retire(day);
    });
  }

  #inTurn<Result>(action: () => Promise<Result>): Promise<Result> {
    const result = this.#lastAppend.then(() => {
      if (this.#isClosed) throw new Error("the payload files are closed");
      return action();
    });
    this.#lastAppend = result.catch(() => undefined);
    return result;
  }

  async #writerOf(day: number): Promise<PayloadWriter> {
    const current = this.#writers.get(day);
    this.#writers.delete(day);
    if (current && current.endOffset < this.#maxFileBytes) {
      this.#writers.set(day, current);
      return current;
    }
    await current?.close();
    const writer = await this.#createWriter(day);
    this.#writers.set(day, writer);
    const [oldestDay] = this.#writers.keys();
    if (this.#writers.size > MAX_OPEN_WRITERS && oldestDay !== undefined) await this.#retire(oldestDay);
    return writer;
  }

  async #createWriter(day: number): Promise<PayloadWriter> {
    const taken = (await this.#listFiles()).filter((fileId) => dayOfFile(fileId) === day);
    // Another thread may take a number between the look and the try.
    const lastFileId = Math.max(toFileId(day, 0) - 1, this.#lastFileIds.get(day) ?? 0, ...taken);
    for (let fileId = lastFileId + 1; ; fileId++) {
      if (dayOfFile(fileId) !== day) throw new Error(`there are too many payload files of one day in ${this.#dir}`);
      const writer = await PayloadWriter.create(this.#dir, fileId);
      if (!writer) continue;
      this.#lastFileIds.set(day, fileId);
      return writer;
    }
  }

  async #retire(day: number): Promise<void> {
    const writer = this.#writers.get(day);
    this.#writers.delete(day);
    await writer?.close();
  }

  async #listFiles(): Promise<number[]> {
    const names = await readdir(this.#dir);
    return names.map(parseFileName).filter((fileId) => fileId !== null);
  }

  /** 0 when it was deleted in the meantime. */
  async #sizeOf(fileId: number): Promise<number> {
    try {
      return (await stat(join(this.#dir, toFileName(fileId)))).size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
      throw error;
    }
  }
}

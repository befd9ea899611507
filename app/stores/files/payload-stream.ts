import { readdir } from "node:fs/promises";
import { createInTurn } from "../../domain/in-turn.ts";
import type { StoredSignal } from "../../domain/stored-signal.ts";
import type { PayloadRef } from "../payload-store.ts";
import { dayOfFile, parseFileName, signalOfFile, toFileId } from "./payload-file-names.ts";
import { PayloadWriter } from "./payload-writer.ts";

/** The day that is, and the one before or after it around midnight. */
const MAX_OPEN_WRITERS = 2;

/** Writes the files of one signal: one call after another, beside those of other signals. */
export class PayloadStream {
  readonly #dir: string;
  readonly #signal: StoredSignal;
  readonly #maxFileBytes: number;
  /** Writers by day, the least recently used first. */
  readonly #writers = new Map<number, PayloadWriter>();
  /** The last file that was made of each day, though it may be gone: a reference to it must not find another. */
  readonly #lastFileIds = new Map<number, number>();
  readonly #runInTurn = createInTurn();
  #isClosed = false;

  constructor(dir: string, signal: StoredSignal, { maxFileBytes }: { maxFileBytes: number }) {
    this.#dir = dir;
    this.#signal = signal;
    this.#maxFileBytes = maxFileBytes;
  }

  append(payloads: readonly Uint8Array[], day: number, entry: Promise<Uint8Array> | undefined): Promise<PayloadRef[]> {
    // The writer asks for it late, and not at all when it fails before.
    entry?.catch(() => undefined);
    return this.#inTurn(async () => {
      let isEntryMissing = false;
      const watched = entry?.catch((error: unknown) => {
        isEntryMissing = true;
        throw error;
      });
      watched?.catch(() => undefined);
      const writer = await this.#writerOf(day);
      try {
        return await writer.append(payloads, watched);
      } catch (error) {
        // Without its entry, no byte was written.
        if (isEntryMissing) throw error;
        this.#writers.delete(day);
        await writer.abandon();
        throw error;
      }
    });
  }

  /** Goes on in other files: these are about to be deleted. */
  retireFiles(fileIds: ReadonlySet<number>): Promise<void> {
    return this.#inTurn(async () => {
      for (const [day, { fileId }] of [...this.#writers]) if (fileIds.has(fileId)) await this.#retire(day);
    });
  }

  /** Goes on in other files. */
  seal(): Promise<void> {
    return this.#inTurn(() => this.#retireAll());
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#inTurn(async () => {
      this.#isClosed = true;
      await this.#retireAll();
    });
  }

  #inTurn<Result>(action: () => Promise<Result>): Promise<Result> {
    return this.#runInTurn(() => {
      if (this.#isClosed) throw new Error("the payload files are closed");
      return action();
    });
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
    const isOurs = (fileId: number) => dayOfFile(fileId) === day && signalOfFile(fileId) === this.#signal;
    const taken = (await listPayloadFiles(this.#dir)).filter(isOurs);
    // Another thread may take a number between the look and the try.
    const lastFileId = Math.max(toFileId(day, this.#signal, 0) - 1, this.#lastFileIds.get(day) ?? 0, ...taken);
    for (let fileId = lastFileId + 1; ; fileId++) {
      if (!isOurs(fileId)) throw new Error(`there are too many payload files of one day in ${this.#dir}`);
      const writer = await PayloadWriter.create(this.#dir, fileId);
      if (!writer) continue;
      this.#lastFileIds.set(day, fileId);
      return writer;
    }
  }

  async #retireAll(): Promise<void> {
    for (const day of [...this.#writers.keys()]) await this.#retire(day);
  }

  async #retire(day: number): Promise<void> {
    const writer = this.#writers.get(day);
    this.#writers.delete(day);
    await writer?.close();
  }
}

/** Ids of the payload files in a folder, in no order. */
export async function listPayloadFiles(dir: string): Promise<number[]> {
  return (await readdir(dir)).map(parseFileName).filter((fileId) => fileId !== null);
}

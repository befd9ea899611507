import { type FileHandle, open } from "node:fs/promises";
import { MIB } from "../../domain/bytes.ts";
import { type BlockEntry, type Dictionary, encodeBlock, encodeDictionary } from "./payload-block.ts";
import { PayloadOffsets, toFirstLine } from "./payload-offsets.ts";
import { SampleDictionary } from "./sample-dictionary.ts";

/** As in `PayloadWriter`: a smaller block is compressed with a dictionary. */
const DICTIONARY_BELOW_BYTES = MIB / 2;
const COPIED_AT_ONCE_BYTES = MIB;

/** A payload file that takes the place of another: the same blocks, found by the offsets that they had there. */
export class ErasedFile {
  readonly #file: FileHandle;
  readonly #samples = new SampleDictionary();
  readonly #placeOf: Array<[name: number, place: number]> = [];
  #dictionary: Dictionary | null = null;
  #endOffset = toFirstLine(0).length;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Overwrites a file that a crash left under the name. */
  static async create(path: string): Promise<ErasedFile> {
    const file = await open(path, "w", 0o640);
    await file.write(toFirstLine(0), 0, undefined, 0);
    return new ErasedFile(file);
  }

  /** Copies a block unchanged. It must not need a dictionary. */
  async copy(name: number, source: FileHandle, from: number, length: number): Promise<void> {
    this.#placeOf.push([name, this.#endOffset]);
    const buffer = Buffer.allocUnsafe(Math.min(length, COPIED_AT_ONCE_BYTES));
    for (let copied = 0; copied < length; ) {
      const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, length - copied), from + copied);
      if (bytesRead === 0) throw new Error("a payload file has become shorter while it was copied");
      await this.#write([buffer.subarray(0, bytesRead)]);
      copied += bytesRead;
    }
  }

  async add(name: number, payloads: readonly Uint8Array[], entry: BlockEntry | null): Promise<void> {
    const bytes = payloads.reduce((sum, payload) => sum + payload.length, 0);
    const isSmall = bytes < DICTIONARY_BELOW_BYTES;
    this.#placeOf.push([name, this.#endOffset]);
    await this.#write(await encodeBlock(payloads, isSmall ? this.#dictionary : null, entry));
    if (!isSmall) return;
    for (const payload of payloads) this.#samples.add(payload);
    if (!this.#samples.isDue) return;
    const dictionary = { offset: this.#endOffset, bytes: this.#samples.bytes() };
    await this.#write(await encodeDictionary(dictionary.bytes));
    this.#samples.markTaken();
    this.#dictionary = dictionary;
  }

  /** Durable when it resolves. */
  async finish(): Promise<void> {
    const mapOffset = this.#endOffset;
    await this.#write(await new PayloadOffsets(this.#placeOf).encode());
    await this.#file.write(toFirstLine(mapOffset), 0, undefined, 0);
    await this.#file.sync();
    await this.#file.close();
  }

  async abandon(): Promise<void> {
    await this.#file.close().catch(() => undefined);
  }

  async #write(parts: readonly Uint8Array[]): Promise<void> {
    for (const part of parts) {
      for (let written = 0; written < part.length; ) {
        const { bytesWritten } = await this.#file.write(part, written, part.length - written, this.#endOffset);
        written += bytesWritten;
        this.#endOffset += bytesWritten;
      }
    }
  }
}

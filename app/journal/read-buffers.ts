import { freeBuffer } from "../domain/free-memory.ts";

/** A digest with one map thread has this many batches at a time: one being read, one being mapped, one being committed. */
const MAX_SPARE = 3;
/** Bytes. A digest that reads less at once has caught up, and needs no spare memory. */
const WORTH_KEEPING = 1024 * 1024;

/**
 * Reuses the memory for reading. New memory is expensive: the system must clear its pages, and V8 counts it and starts full garbage
 * collections.
 */
export class ReadBuffers {
  readonly #bytes: number;
  #spare: ArrayBufferLike[] = [];

  /** @param bytes of each buffer. More memory than that is not kept. */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  take(bytes: number): Buffer {
    if (bytes > this.#bytes || bytes < WORTH_KEEPING) return Buffer.allocUnsafeSlow(bytes);
    return Buffer.from(this.#spare.pop() ?? Buffer.allocUnsafeSlow(this.#bytes).buffer, 0, bytes);
  }

  /** Gives back the memory of these views. Nobody may use them afterwards. */
  give(views: readonly Uint8Array[]): void {
    const buffers = new Set<ArrayBufferLike>();
    let used = 0;
    for (const { buffer, length } of views) {
      used += length;
      buffers.add(buffer);
    }
    if (used < WORTH_KEEPING) {
      for (const buffer of this.#spare) freeBuffer(buffer);
      this.#spare = [];
    }
    for (const buffer of buffers) {
      const isKept = used >= WORTH_KEEPING && buffer.byteLength === this.#bytes && this.#spare.length < MAX_SPARE;
      if (isKept) this.#spare.push(buffer);
      else freeBuffer(buffer);
    }
  }
}

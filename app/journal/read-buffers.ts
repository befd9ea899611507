/** As many as a digest with one map thread has batches at a time: one is read, one mapped, one committed. */
const MAX_SPARE = 3;
/** Bytes. A digest that reads less at once is not behind, and needs no spare memory. */
const WORTH_KEEPING = 1024 * 1024;

/**
 * Memory for reading, used again for what comes later. Fresh memory has its price: pages that the system must clear, and full
 * garbage collections, because V8 counts it.
 */
export class ReadBuffers {
  readonly #bytes: number;
  #spare: ArrayBufferLike[] = [];

  /** @param bytes of each; more than that is not kept. */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  take(bytes: number): Buffer {
    if (bytes > this.#bytes || bytes < WORTH_KEEPING) return Buffer.allocUnsafeSlow(bytes);
    return Buffer.from(this.#spare.pop() ?? Buffer.allocUnsafeSlow(this.#bytes).buffer, 0, bytes);
  }

  /** Nobody looks at the memory of these views any more. */
  give(views: readonly Uint8Array[]): void {
    const buffers = new Set<ArrayBufferLike>();
    let used = 0;
    for (const { buffer, length } of views) {
      used += length;
      if (buffer.byteLength === this.#bytes) buffers.add(buffer);
    }
    if (used < WORTH_KEEPING) this.#spare = [];
    else for (const buffer of buffers) if (this.#spare.length < MAX_SPARE) this.#spare.push(buffer);
  }
}

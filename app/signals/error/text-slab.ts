import { MIB } from "../../domain/bytes.ts";
import { freeBuffer } from "../../domain/free-memory.ts";

/** Large enough for a hundred events, small enough to be free again soon after the batch whose texts lie in it. */
const SLAB_BYTES = MIB;
/** The most bytes that UTF-8 takes for a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Writes texts as UTF-8, one after the other, into shared buffers, and uses these again when all of their texts were given back. A buffer
 * for each text takes five times as long. Fresh memory counts against the heap's limit, so that full garbage collections come more often,
 * and the system must clear its pages.
 */
export class TextSlab {
  #slab: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  #used = 0;
  /** The number of texts of each buffer that were not given back. Weak, because texts of a failed batch never come back. */
  readonly #out = new WeakMap<ArrayBufferLike, number>();
  #spare: ArrayBufferLike[] = [];

  /** The bytes are a view: keeping them keeps a megabyte. */
  encode(text: string): Uint8Array {
    const maxBytes = text.length * MAX_BYTES_PER_UNIT;
    if (maxBytes > SLAB_BYTES / 4) return Buffer.from(text, "utf8");
    if (maxBytes > this.#slab.length - this.#used) {
      const spare = this.#spare.pop();
      this.#slab = spare === undefined ? Buffer.allocUnsafeSlow(SLAB_BYTES) : Buffer.from(spare);
      this.#used = 0;
    }
    const { buffer } = this.#slab;
    this.#out.set(buffer, (this.#out.get(buffer) ?? 0) + 1);
    const start = this.#used;
    this.#used += this.#slab.write(text, start, "utf8");
    return this.#slab.subarray(start, this.#used);
  }

  /**
   * Gives back these texts of a batch: nobody may use them afterwards. As many buffers are kept as these texts lay in, because small
   * batches need few.
   */
  give(texts: readonly Uint8Array[]): void {
    const buffers = new Set<ArrayBufferLike>();
    for (const { buffer } of texts) {
      const out = this.#out.get(buffer);
      if (!out) continue;
      this.#out.set(buffer, out - 1);
      buffers.add(buffer);
    }
    for (const buffer of buffers) {
      if (this.#out.get(buffer) !== 0) continue;
      if (buffer === this.#slab.buffer) this.#used = 0;
      else this.#spare.push(buffer);
    }
    for (const buffer of this.#spare.splice(buffers.size)) freeBuffer(buffer);
  }
}

/** The texts of events, until their batch is stored. */
export const EVENT_TEXTS = new TextSlab();

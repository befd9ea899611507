import { MIB } from "../../domain/bytes.ts";

/** Large enough for a hundred events, small enough to go soon after the batch whose texts lie in it. */
const SLAB_BYTES = MIB;
/** UTF-8 takes at most so many bytes for a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Writes texts as UTF-8, one after the other, into shared buffers. A buffer for each text takes five times as long, and its
 * memory counts against the heap's limit, so that full garbage collections come several times as often.
 */
export class TextSlab {
  #slab = Buffer.alloc(0);
  #used = 0;

  /** The bytes are a view: keeping them keeps a megabyte. */
  encode(text: string): Uint8Array {
    const maxBytes = text.length * MAX_BYTES_PER_UNIT;
    if (maxBytes > SLAB_BYTES / 4) return Buffer.from(text, "utf8");
    if (maxBytes > this.#slab.length - this.#used) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += this.#slab.write(text, start, "utf8");
    return this.#slab.subarray(start, this.#used);
  }
}

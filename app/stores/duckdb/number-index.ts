import { randomInt } from "node:crypto";

/** A hash table that numbers values from 1 on, in the order in which they were first seen. */
export class NumberIndex {
  /** Values by their number. The first element is unused. */
  #values = new Float64Array(9);
  /** Open addressing: the number of a value at the slot of its hash or a later one; 0: free. The length is a power of two. */
  #slots = new Uint32Array(16);
  #size = 0;
  /** Keeps senders from choosing values that all have the same slot. */
  readonly #secret = randomInt(2 ** 32);

  get size(): number {
    return this.#size;
  }

  get byteLength(): number {
    return this.#values.byteLength + this.#slots.byteLength;
  }

  has(value: number): boolean {
    return this.#slots[this.#findSlot(value)] !== 0;
  }

  /** The number of a value, which is a whole number. */
  numberOf(value: number): number {
    let slot = this.#findSlot(value);
    const known = this.#slots[slot] as number;
    if (known !== 0) return known;
    if (2 * (this.#size + 1) > this.#slots.length) {
      this.#grow();
      slot = this.#findSlot(value);
    }
    const number = ++this.#size;
    this.#values[number] = value;
    this.#slots[slot] = number;
    return number;
  }

  #findSlot(value: number): number {
    const mask = this.#slots.length - 1;
    const mixed = Math.imul(value ^ this.#secret, 0x9e3779b1);
    for (let slot = (mixed ^ (mixed >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] as number;
      if (number === 0 || this.#values[number] === value) return slot;
    }
  }

  #grow(): void {
    const values = new Float64Array(this.#slots.length + 1);
    values.set(this.#values.subarray(0, this.#size + 1));
    this.#values = values;
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let number = 1; number <= this.#size; number++) {
      this.#slots[this.#findSlot(values[number] as number)] = number;
    }
  }
}

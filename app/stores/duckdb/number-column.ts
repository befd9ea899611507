type Cells = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/**
 * A list of whole numbers. Each takes as few bytes as the difference between the smallest and the largest needs: numbers of users take one
 * or two, instants of seven weeks take four.
 */
export class NumberColumn {
  #cells: Cells = new Uint8Array(0);
  #base = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get byteLength(): number {
    return this.#cells.byteLength;
  }

  /** The value at an existing place. */
  at(place: number): number {
    return this.#base + (this.#cells[place] as number);
  }

  /** Inserts each value before the value that is now at its place. `places` is ascending. */
  insert(places: ArrayLike<number>, values: ArrayLike<number>): void {
    if (values.length === 0) return;
    this.#makeRoom(values);
    const cells = this.#cells;
    let read = this.#length - 1;
    let write = read + values.length;
    for (let index = values.length - 1; index >= 0; index--) {
      const place = places[index] as number;
      while (read >= place) cells[write--] = cells[read--] as number;
      cells[write--] = (values[index] as number) - this.#base;
    }
    this.#length += values.length;
  }

  #makeRoom(values: ArrayLike<number>): void {
    const [min, max] = boundsOf(values);
    const base = this.#length === 0 ? min : Math.min(this.#base, min);
    const length = this.#length + values.length;
    const hasRoom = length <= this.#cells.length;
    if (hasRoom && base === this.#base && max - base <= greatestOf(this.#cells)) return;
    const shift = this.#base - base;
    const held = this.#cells.subarray(0, this.#length);
    const greatest = Math.max(max - base, shift + boundsOf(held)[1]);
    this.#cells = createCells(hasRoom ? this.#cells.length : growTo(length, this.#length), greatest);
    for (let place = 0; place < held.length; place++) this.#cells[place] = (held[place] as number) + shift;
    this.#base = base;
  }
}

/** The exact size at first. A growing column gets a quarter more than before. */
function growTo(length: number, before: number): number {
  return before === 0 ? length : Math.max(length, before + (before >>> 2) + 8);
}

function createCells(capacity: number, greatest: number): Cells {
  if (greatest < 2 ** 8) return new Uint8Array(capacity);
  if (greatest < 2 ** 16) return new Uint16Array(capacity);
  if (greatest < 2 ** 32) return new Uint32Array(capacity);
  return new Float64Array(capacity);
}

/** The greatest value that a cell can have. */
function greatestOf(cells: Cells): number {
  return cells instanceof Float64Array ? Number.MAX_SAFE_INTEGER : 2 ** (8 * cells.BYTES_PER_ELEMENT) - 1;
}

function boundsOf(values: ArrayLike<number>): [min: number, max: number] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return [min, max];
}

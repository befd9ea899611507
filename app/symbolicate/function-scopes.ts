/** A token that names a function, or is part of its name, as offsets in the text. */
export interface NamePart {
  start: number;
  end: number;
  /** Name of a variable, function or class, which minifiers change; otherwise of a property, which they seldom do. */
  isBinding: boolean;
}

export type ScopeKind = "function" | "method" | "constructor";

/** A position of generated code: 0-based, columns in UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

export interface ScopeName {
  text: string;
  isBinding: boolean;
  position: Position;
}

/** The innermost function around a position. */
export interface FunctionScope {
  kind: ScopeKind;
  /** Outermost first: class and method. Empty: it has no name. */
  names: ScopeName[];
  /** The function to which it was passed, if it has the name of the result: `name = wrapper(() => …)`. */
  wrapper: ScopeName | null;
  position: Position;
}

interface ScannedFunctions {
  starts: readonly number[];
  ends: readonly number[];
  kinds: readonly ScopeKind[];
  names: ReadonlyArray<readonly NamePart[]>;
  wrappers: ReadonlyArray<NamePart | null>;
}

const KINDS: readonly ScopeKind[] = ["function", "method", "constructor"];

/** The functions of one file, for finding the one that contains a position. */
export class FunctionScopes {
  readonly #text: string;
  readonly #lineStarts: Uint32Array;
  /** Offsets of the starts, ascending. */
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #parents: Int32Array;
  readonly #kinds: Uint8Array;
  /** Index of each function's first name part, with one more entry than functions. */
  readonly #firstParts: Uint32Array;
  /** Start, end and whether it is a binding, of each part. */
  readonly #parts: Uint32Array;
  readonly #wrappers: Map<number, NamePart>;
  /** Estimated, the text included. */
  readonly memoryBytes: number;

  constructor(text: string, { starts, ends, kinds, names, wrappers }: ScannedFunctions) {
    this.#text = text;
    this.#lineStarts = findLineStarts(text);
    const order = starts.map((_, index) => index).filter((index) => (ends[index] as number) >= 0);
    order.sort((a, b) => (starts[a] as number) - (starts[b] as number) || (ends[b] as number) - (ends[a] as number));
    const count = order.length;
    this.#starts = Uint32Array.from(order, (index) => starts[index] as number);
    this.#ends = Uint32Array.from(order, (index) => ends[index] as number);
    this.#kinds = Uint8Array.from(order, (index) => KINDS.indexOf(kinds[index] as ScopeKind));
    this.#parents = new Int32Array(count);
    this.#firstParts = new Uint32Array(count + 1);
    this.#wrappers = new Map();
    const parts: number[] = [];
    const open: number[] = [];
    for (const [place, index] of order.entries()) {
      while (
        open.length > 0 &&
        (this.#ends[open[open.length - 1] as number] as number) <= (this.#starts[place] as number)
      )
        open.pop();
      this.#parents[place] = open[open.length - 1] ?? -1;
      open.push(place);
      for (const { start, end, isBinding } of names[index] ?? []) parts.push(start, end, isBinding ? 1 : 0);
      this.#firstParts[place + 1] = parts.length;
      const wrapper = wrappers[index];
      if (wrapper != null) this.#wrappers.set(place, wrapper);
    }
    this.#parts = Uint32Array.from(parts);
    this.memoryBytes =
      text.length + this.#lineStarts.byteLength + count * 17 + this.#parts.byteLength + this.#wrappers.size * 100;
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Offsets where each function begins and ends, in the order of their starts. */
  ranges(): Array<[start: number, end: number]> {
    return Array.from(this.#starts, (start, place) => [start, this.#ends[place] as number]);
  }

  /** Null: the position is in no function, or outside the file. */
  find({ line, column }: Position): FunctionScope | null {
    const lineStart = this.#lineStarts[line];
    if (lineStart === undefined) return null;
    const offset = lineStart + column;
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] as number) <= offset) low = middle + 1;
      else high = middle;
    }
    let place = low - 1;
    while (place >= 0 && (this.#ends[place] as number) <= offset) place = this.#parents[place] as number;
    return place < 0 ? null : this.#describe(place);
  }

  #describe(place: number): FunctionScope {
    const names: ScopeName[] = [];
    for (let at = this.#firstParts[place] as number; at < (this.#firstParts[place + 1] as number); at += 3) {
      const [start = 0, end = 0, isBinding = 0] = this.#parts.subarray(at, at + 3);
      names.push(this.#toName({ start, end, isBinding: isBinding === 1 }));
    }
    const wrapper = this.#wrappers.get(place);
    return {
      kind: KINDS[this.#kinds[place] as number] ?? "function",
      names,
      wrapper: wrapper === undefined ? null : this.#toName(wrapper),
      position: this.#toPosition(this.#starts[place] as number),
    };
  }

  #toName({ start, end, isBinding }: NamePart): ScopeName {
    const raw = this.#text.slice(start, end);
    const text = /^["']/.test(raw) ? raw.slice(1, -1) : raw;
    return { text, isBinding, position: this.#toPosition(start) };
  }

  #toPosition(offset: number): Position {
    let low = 0;
    let high = this.#lineStarts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#lineStarts[middle] as number) <= offset) low = middle + 1;
      else high = middle;
    }
    const line = low - 1;
    return { line, column: offset - (this.#lineStarts[line] as number) };
  }
}

/** Offsets of line starts, by the line ends that engines count: `\n`, `\r\n`, `\r`, and the two of Unicode. */
function findLineStarts(text: string): Uint32Array {
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0d && text.charCodeAt(at + 1) === 0x0a) at++;
    if (code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029) starts.push(at + 1);
  }
  return Uint32Array.from(starts);
}

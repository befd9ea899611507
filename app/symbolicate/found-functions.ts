import { FunctionScopes, type NamePart, type ScopeKind } from "./function-scopes.ts";

/** The functions of a file as a scan comes upon them. Each is known by its index: the place among those found. */
export class FoundFunctions {
  readonly #text: string;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #kinds: ScopeKind[] = [];
  readonly #names: NamePart[][] = [];
  readonly #wrappers: Array<NamePart | null> = [];
  #lastEnded = -1;

  constructor(text: string) {
    this.#text = text;
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Adds a function that begins at the offset. Returns its index. */
  add(start: number, kind: ScopeKind, names: NamePart[], wrapper: NamePart | null): number {
    this.#ends.push(-1);
    this.#kinds.push(kind);
    this.#names.push(names);
    this.#wrappers.push(wrapper);
    return this.#starts.push(start) - 1;
  }

  /** Sets the function's own name, which wins over the variable or call that it was assigned or passed to. */
  setOwnName(index: number, name: NamePart): void {
    this.#names[index] = [name];
    this.#wrappers[index] = null;
  }

  end(index: number, end: number): void {
    this.#ends[index] = end;
    this.#lastEnded = index;
  }

  /**
   * Removes the name of the function that ended last, if it ended at this offset and is called at once: the name then belongs to the result
   * of the call.
   */
  forgetNameOfResult(end: number): void {
    const index = this.#lastEnded;
    const start = this.#starts[index];
    if (start === undefined || this.#ends[index] !== end) return;
    // An arrow function is not called without parentheses around it, and a name of its own stands inside.
    const name = this.#names[index]?.[0];
    if (this.#text.startsWith("function", start) && name !== undefined && name.start < start) this.#names[index] = [];
  }

  toScopes(): FunctionScopes {
    return new FunctionScopes(this.#text, {
      starts: this.#starts,
      ends: this.#ends,
      kinds: this.#kinds,
      names: this.#names,
      wrappers: this.#wrappers,
    });
  }
}

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

  /** One that begins at the offset. Gives its index. */
  add(start: number, kind: ScopeKind, names: NamePart[], wrapper: NamePart | null): number {
    this.#ends.push(-1);
    this.#kinds.push(kind);
    this.#names.push(names);
    this.#wrappers.push(wrapper);
    return this.#starts.push(start) - 1;
  }

  /** Its own name comes before what it was assigned or handed to. */
  setOwnName(index: number, name: NamePart): void {
    this.#names[index] = [name];
    this.#wrappers[index] = null;
  }

  end(index: number, end: number): void {
    this.#ends[index] = end;
    this.#lastEnded = index;
  }

  /**
   * Takes the name away from the function that ended last, if that was there and is called at once: the result of the call is
   * what has the name.
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

import type { NamePart } from "./function-scopes.ts";
import { type JavascriptLexer, TOKEN } from "./javascript-lexer.ts";

/** How many tokens back a name may stand. A power of two. */
const MEMORY = 64;

/** The last tokens of a scan, as a ring. `back` counts from the token at hand: 1 is the one before it. */
export class RecentTokens {
  readonly #text: string;
  readonly #kinds = new Uint8Array(MEMORY);
  readonly #codes = new Uint16Array(MEMORY);
  readonly #starts = new Int32Array(MEMORY);
  readonly #ends = new Int32Array(MEMORY);
  #count = 0;

  constructor(text: string) {
    this.#text = text;
  }

  remember({ kind, code, start, end }: JavascriptLexer): void {
    const slot = this.#count++ & (MEMORY - 1);
    this.#kinds[slot] = kind;
    this.#codes[slot] = kind === TOKEN.punctuator ? code : 0;
    this.#starts[slot] = start;
    this.#ends[slot] = end;
  }

  /** `TOKEN.end` when there was none, or it is forgotten. */
  kind(back: number): number {
    return back > this.#count || back > MEMORY ? TOKEN.end : (this.#kinds[this.#slot(back)] as number);
  }

  isPunctuator(back: number, character: string): boolean {
    return this.kind(back) === TOKEN.punctuator && this.#codes[this.#slot(back)] === character.charCodeAt(0);
  }

  isWord(back: number, word: string): boolean {
    return this.kind(back) === TOKEN.identifier && this.text(back) === word;
  }

  start(back: number): number {
    return this.#starts[this.#slot(back)] as number;
  }

  end(back: number): number {
    return this.#ends[this.#slot(back)] as number;
  }

  text(back: number): string {
    return this.#text.slice(this.start(back), this.end(back));
  }

  /** A name, and whether it is that of a property. */
  part(back: number): NamePart {
    return { start: this.start(back), end: this.end(back), isBinding: !this.isPunctuator(back + 1, ".") };
  }

  #slot(back: number): number {
    return (this.#count - back) & (MEMORY - 1);
  }
}

/** The shown characters of a line, which is the width of Sentry's context lines. */
const MAX_LINE_LENGTH = 140;
/** How many characters before the column a cut line begins. The text behind a call is more useful than the text before it. */
const BEFORE_COLUMN = 60;
const CONTEXT_LINES = 5;

export interface LineContext {
  contextLine: string;
  preContext: string[];
  postContext: string[];
}

/** A source text by lines. */
export class SourceLines {
  readonly text: string;
  #starts: Uint32Array | null = null;

  constructor(text: string) {
    this.text = text;
  }

  get count(): number {
    return this.#lineStarts().length;
  }

  /** A line (0-based) without its line end. Null: there is none. */
  line(index: number): string | null {
    const starts = this.#lineStarts();
    const start = starts[index];
    if (start === undefined) return null;
    const next = starts[index + 1];
    return next === undefined ? this.text.slice(start) : this.text.slice(start, next).replace(/\r?\n$|\r$/, "");
  }

  /** The line with five on either side, long ones cut around the column. 0-based; null: there is no such line. */
  context(line: number, column: number): LineContext | null {
    const contextLine = this.line(line);
    if (contextLine === null) return null;
    const range = (from: number, to: number): string[] => {
      const lines: string[] = [];
      for (let index = Math.max(0, from); index < to; index++) {
        const text = this.line(index);
        if (text !== null) lines.push(cutLine(text, column));
      }
      return lines;
    };
    return {
      contextLine: cutLine(contextLine, column),
      preContext: range(line - CONTEXT_LINES, line),
      postContext: range(line + 1, line + 1 + CONTEXT_LINES),
    };
  }

  #lineStarts(): Uint32Array {
    if (this.#starts !== null) return this.#starts;
    let count = 1;
    for (const _ of eachLineStart(this.text)) count++;
    // A list of numbers would take twice as much, on the heap: a text may be line ends alone.
    this.#starts = new Uint32Array(count);
    let index = 1;
    for (const start of eachLineStart(this.text)) this.#starts[index++] = start;
    return this.#starts;
  }
}

/** The starts of all lines except the first. */
function* eachLineStart(text: string): Generator<number> {
  if (text.includes("\r")) {
    for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) yield index + end.length;
  } else {
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) yield at + 1;
  }
}

/** A part of the line of at most about 140 characters around a column (0-based). `{snip}` replaces what was cut off. */
export function cutLine(line: string, column: number): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  const at = Math.min(Math.max(0, column), line.length);
  let start = Math.max(0, Math.min(at - BEFORE_COLUMN, line.length - MAX_LINE_LENGTH));
  let end = Math.min(line.length, start + MAX_LINE_LENGTH);
  // Not between the halves of a surrogate pair.
  if (isLowSurrogate(line, start)) start--;
  if (isLowSurrogate(line, end)) end++;
  return `${start > 0 ? "{snip} " : ""}${line.slice(start, end)}${end < line.length ? " {snip}" : ""}`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff;
}

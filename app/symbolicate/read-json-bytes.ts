/** The bytes are not JSON, or nest too deeply. */
export class JsonBytesError extends Error {
  override name = "JsonBytesError";
}

/** A value's place in the bytes: `end` is after its last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const MAX_DEPTH = 100;
/** The most members of an object that are read one by one. Maps have some ten. */
const MAX_MEMBERS = 10_000;
/** Longer keys are skipped: no caller looks for them. */
const MAX_KEY_BYTES = 100;
/** The first bytes of a text are searched here: for most names, a call of `indexOf` takes longer. */
const SHORT_TEXT_BYTES = 32;

/**
 * Finds values in JSON without building them. Nine tenths of a source map of 50 MB are texts that nobody needs, and as JavaScript values
 * they would take several times their bytes on the heap. A value is only built when it is read.
 */
export class JsonBytes {
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The place of the whole value. @throws JsonBytesError when there is something after it */
  root(start = 0): ByteRange {
    const at = this.#skipSpace(start);
    const end = this.#skipValue(at);
    if (this.#skipSpace(end) !== this.#bytes.length) throw new JsonBytesError(`something follows the value at ${end}`);
    return { start: at, end };
  }

  isObject({ start }: ByteRange): boolean {
    return this.#bytes[start] === OPEN_BRACE;
  }

  isArray({ start }: ByteRange): boolean {
    return this.#bytes[start] === OPEN_BRACKET;
  }

  isString({ start }: ByteRange): boolean {
    return this.#bytes[start] === QUOTE;
  }

  /** Builds a value. @throws JsonBytesError */
  read({ start, end }: ByteRange): unknown {
    try {
      return JSON.parse(this.#bytes.toString("utf8", start, end));
    } catch (cause) {
      throw new JsonBytesError(`not JSON between ${start} and ${end}`, { cause });
    }
  }

  /** The value when it is a text, else null. */
  readString(range: ByteRange): string | null {
    if (!this.isString(range)) return null;
    const value = this.read(range);
    return typeof value === "string" ? value : null;
  }

  /** The bytes of a text without its quotes. They are only a copy if the text contains escapes. Null when it is no text. */
  readStringBytes(range: ByteRange): Buffer | null {
    if (!this.isString(range)) return null;
    const inner = this.#bytes.subarray(range.start + 1, range.end - 1);
    if (!inner.includes(BACKSLASH)) return inner;
    return Buffer.from(this.readString(range) ?? "", "utf8");
  }

  /** Calls back with each member of an object. A key that comes twice comes twice. @throws JsonBytesError also for too many */
  eachMember({ start, end }: ByteRange, visit: (key: string, value: ByteRange) => void): void {
    let at = this.#skipSpace(start + 1);
    if (this.#bytes[at] === CLOSE_BRACE) return;
    for (let count = 1; ; count++) {
      if (count > MAX_MEMBERS) throw new JsonBytesError(`an object has more than ${MAX_MEMBERS} members`);
      if (this.#bytes[at] !== QUOTE) throw new JsonBytesError(`expected a key at ${at}`);
      const keyEnd = this.#skipString(at);
      const key = keyEnd - at > MAX_KEY_BYTES ? "" : (this.readString({ start: at, end: keyEnd }) ?? "");
      at = this.#skipSpace(keyEnd);
      if (this.#bytes[at] !== COLON) throw new JsonBytesError(`expected ":" at ${at}`);
      at = this.#skipSpace(at + 1);
      const valueEnd = this.#skipValue(at);
      visit(key, { start: at, end: valueEnd });
      at = this.#skipSpace(valueEnd);
      if (this.#bytes[at] === CLOSE_BRACE && at === end - 1) return;
      if (this.#bytes[at] !== COMMA) throw new JsonBytesError(`expected "," at ${at}`);
      at = this.#skipSpace(at + 1);
    }
  }

  /** Calls back with each value of a list. */
  eachItem({ start, end }: ByteRange, visit: (value: ByteRange) => void): void {
    let at = this.#skipSpace(start + 1);
    if (this.#bytes[at] === CLOSE_BRACKET) return;
    for (;;) {
      const itemEnd = this.#skipValue(at);
      visit({ start: at, end: itemEnd });
      at = this.#skipSpace(itemEnd);
      if (this.#bytes[at] === CLOSE_BRACKET && at === end - 1) return;
      if (this.#bytes[at] !== COMMA) throw new JsonBytesError(`expected "," at ${at}`);
      at = this.#skipSpace(at + 1);
    }
  }

  #skipSpace(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    }
    return at;
  }

  /** Returns the end of the value. It counts brackets and skips texts; the rest is only checked when it is read. */
  #skipValue(start: number): number {
    const bytes = this.#bytes;
    const first = bytes[start];
    if (first === QUOTE) return this.#skipString(start);
    if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return this.#skipLiteral(start);
    let depth = 0;
    for (let at = start; at < bytes.length; at++) {
      switch (bytes[at]) {
        case QUOTE:
          at = this.#skipString(at) - 1;
          break;
        case OPEN_BRACE:
        case OPEN_BRACKET:
          if (++depth > MAX_DEPTH) throw new JsonBytesError(`nested deeper than ${MAX_DEPTH}`);
          break;
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          if (--depth === 0) return at + 1;
          break;
      }
    }
    throw new JsonBytesError("cut off inside a list or object");
  }

  #skipString(start: number): number {
    const bytes = this.#bytes;
    for (let at = start + 1; at <= start + SHORT_TEXT_BYTES; at++) {
      if (bytes[at] === QUOTE) return at + 1;
      if (bytes[at] === BACKSLASH) break;
    }
    for (let from = start + 1; ; ) {
      const quote = bytes.indexOf(QUOTE, from);
      if (quote === -1) throw new JsonBytesError("cut off inside a text");
      let before = quote;
      while (before > from && bytes[before - 1] === BACKSLASH) before--;
      if ((quote - before) % 2 === 0) return quote + 1;
      from = quote + 1;
    }
  }

  #skipLiteral(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      const isPart =
        (byte >= 0x30 && byte <= 0x39) ||
        (byte >= 0x61 && byte <= 0x7a) ||
        (byte >= 0x41 && byte <= 0x5a) ||
        byte === 0x2d ||
        byte === 0x2b ||
        byte === 0x2e;
      if (!isPart) break;
    }
    if (at === start) throw new JsonBytesError(`expected a value at ${start}`);
    return at;
  }
}

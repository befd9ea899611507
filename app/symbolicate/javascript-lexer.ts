/** What a token is, as far as the search for functions must know. */
export const TOKEN = {
  end: 0,
  /** Also names of properties, and private ones with their `#`. */
  identifier: 1,
  keyword: 2,
  string: 3,
  /** Numbers and regular expressions. */
  literal: 4,
  /** One of `(){}[];,:?` and `.` (also `?.`); the character is in `code`. */
  punctuator: 5,
  /** `=`, and those that assign only what is missing. */
  assign: 6,
  arrow: 7,
  /** `++` or `--`. */
  step: 8,
  operator: 9,
  /** A template up to its end, or up to `${`: then `code` is that of `{`. */
  template: 10,
} as const;

const RESERVED = new Set(
  (
    "break case catch class const continue debugger default delete do else export extends finally for function if import " +
    "in instanceof new return switch throw try typeof var void while with"
  ).split(" "),
);

const CHARACTER = { identifierStart: 1, digit: 2, space: 4, newline: 8 } as const;
const KINDS = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const text = String.fromCharCode(code);
  if (/[A-Za-z_$#\\]/.test(text)) KINDS[code] = CHARACTER.identifierStart;
  else if (/[0-9]/.test(text)) KINDS[code] = CHARACTER.digit;
  else if (text === "\n" || text === "\r") KINDS[code] = CHARACTER.newline;
  else if (code <= 32) KINDS[code] = CHARACTER.space;
}

const PUNCTUATORS = new Set([..."(){}[];,:?."].map((text) => text.charCodeAt(0)));

/** Code that no JavaScript engine would take either: a text or a comment that does not end. */
export class LexerError extends Error {
  override name = "LexerError";
}

/** Reads JavaScript token by token. Whether `/` divides or begins a regular expression, the caller must say. */
export class JavascriptLexer {
  readonly #text: string;
  #at = 0;
  kind: number = TOKEN.end;
  /** Character code of a punctuator; see `TOKEN.template`. */
  code = 0;
  start = 0;
  end = 0;
  hasNewlineBefore = false;

  constructor(text: string) {
    this.#text = text;
    if (text.startsWith("#!")) this.#skipLine();
  }

  /** Text of the token. */
  get text(): string {
    return this.#text.slice(this.start, this.end);
  }

  /** Reads the next token. `canDivide`: what stands before is a value. @throws LexerError */
  next(canDivide: boolean): void {
    this.hasNewlineBefore = false;
    this.#skipSpace();
    const text = this.#text;
    this.start = this.#at;
    if (this.#at >= text.length) {
      this.kind = TOKEN.end;
      this.end = this.#at;
      return;
    }
    const code = text.charCodeAt(this.#at);
    if (isIdentifierStart(code)) this.#readWord();
    else if (isDigit(code) || (code === 0x2e && isDigit(text.charCodeAt(this.#at + 1)))) this.#readNumber();
    else if (code === 0x22 || code === 0x27) this.#readString(code);
    else if (code === 0x60) this.#readTemplate();
    else if (code === 0x2f) this.#readSlash(canDivide);
    else this.#readOperator(code);
    this.end = this.#at;
  }

  /** Goes on in a template after the `}` of one of its expressions: to be called when that is the token. */
  continueTemplate(): void {
    this.#readTemplate();
    this.end = this.#at;
  }

  #skipLine(): void {
    while (this.#at < this.#text.length && !isNewline(this.#text.charCodeAt(this.#at))) this.#at++;
  }

  #skipSpace(): void {
    const text = this.#text;
    for (; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (isNewline(code)) this.hasNewlineBefore = true;
      else if (code === 0x2f && text.charCodeAt(this.#at + 1) === 0x2f) {
        this.#skipLine();
        this.#at--;
      } else if (code === 0x2f && text.charCodeAt(this.#at + 1) === 0x2a) {
        const end = text.indexOf("*/", this.#at + 2);
        if (end === -1) throw new LexerError(`a comment at ${this.#at} does not end`);
        if (/[\n\r]/.test(text.slice(this.#at, end))) this.hasNewlineBefore = true;
        this.#at = end + 1;
      } else if (!isSpace(code)) return;
    }
  }

  #readWord(): void {
    const text = this.#text;
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at);
      if (isIdentifierStart(code) || isDigit(code)) this.#at++;
      // `\u{61}`
      else if (code === 0x7b && text.charCodeAt(this.#at - 1) === 0x75 && text.charCodeAt(this.#at - 2) === 0x5c) {
        while (this.#at < text.length && text.charCodeAt(this.#at) !== 0x7d) this.#at++;
        this.#at++;
      } else break;
    }
    const length = this.#at - this.start;
    const isReserved =
      length >= 2 && length <= 10 && canBeReserved(text.charCodeAt(this.start)) && RESERVED.has(this.#slice());
    this.kind = isReserved ? TOKEN.keyword : TOKEN.identifier;
  }

  #slice(): string {
    return this.#text.slice(this.start, this.#at);
  }

  #readNumber(): void {
    const text = this.#text;
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at);
      const isSign = code === 0x2b || code === 0x2d;
      const isExponent =
        isSign && /[eE]/.test(text.charAt(this.#at - 1)) && !/^0[xX]/.test(text.slice(this.start, this.start + 2));
      if (!isDigit(code) && !isIdentifierStart(code) && code !== 0x2e && !isExponent) break;
      // `1..toString`: the second point is not the number's.
      if (code === 0x2e && text.slice(this.start, this.#at).includes(".")) break;
      this.#at++;
    }
    this.kind = TOKEN.literal;
  }

  #readString(quote: number): void {
    const text = this.#text;
    for (this.#at++; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (code === 0x5c) this.#at++;
      else if (code === quote) {
        this.#at++;
        this.kind = TOKEN.string;
        return;
      } else if (isNewline(code)) break;
    }
    throw new LexerError(`a text at ${this.start} does not end`);
  }

  /** From the "`", or the `}` after an expression. */
  #readTemplate(): void {
    const text = this.#text;
    for (this.#at = this.start + 1; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (code === 0x5c) this.#at++;
      else if (code === 0x60) {
        this.#at++;
        this.kind = TOKEN.template;
        this.code = 0;
        return;
      } else if (code === 0x24 && text.charCodeAt(this.#at + 1) === 0x7b) {
        this.#at += 2;
        this.kind = TOKEN.template;
        this.code = 0x7b;
        return;
      }
    }
    throw new LexerError(`a template at ${this.start} does not end`);
  }

  #readSlash(canDivide: boolean): void {
    const text = this.#text;
    if (canDivide) {
      this.#at += text.charCodeAt(this.#at + 1) === 0x3d ? 2 : 1;
      this.kind = TOKEN.operator;
      return;
    }
    let isInClass = false;
    for (this.#at++; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (isNewline(code)) break;
      if (code === 0x5c) this.#at++;
      else if (code === 0x5b) isInClass = true;
      else if (code === 0x5d) isInClass = false;
      else if (code === 0x2f && !isInClass) {
        this.#at++;
        while (isIdentifierStart(text.charCodeAt(this.#at))) this.#at++;
        this.kind = TOKEN.literal;
        return;
      }
    }
    throw new LexerError(`a regular expression at ${this.start} does not end`);
  }

  #readOperator(code: number): void {
    const text = this.#text;
    const second = text.charCodeAt(this.#at + 1);
    this.code = code;
    if (code === 0x3f && second === 0x2e && !isDigit(text.charCodeAt(this.#at + 2))) {
      this.#at += 2;
      this.kind = TOKEN.punctuator;
      this.code = 0x2e;
      return;
    }
    const isSpread = code === 0x2e && second === 0x2e;
    const isNullish = code === 0x3f && second === 0x3f;
    if (PUNCTUATORS.has(code) && !isSpread && !isNullish) {
      this.#at++;
      this.kind = TOKEN.punctuator;
      return;
    }
    if (code === 0x3d && second === 0x3e) {
      this.#at += 2;
      this.kind = TOKEN.arrow;
      return;
    }
    if ((code === 0x2b || code === 0x2d) && second === code) {
      this.#at += 2;
      this.kind = TOKEN.step;
      return;
    }
    if (isSpread) {
      this.#at += 3;
      this.kind = TOKEN.operator;
      return;
    }
    this.#at++;
    while (this.#at < text.length && isOperatorTail(text.charCodeAt(this.#at), code)) this.#at++;
    const operator = text.slice(this.start, this.#at);
    const assigns = operator === "=" || operator === "||=" || operator === "??=" || operator === "&&=";
    this.kind = assigns ? TOKEN.assign : TOKEN.operator;
  }
}

/** Operators of several characters repeat their first one or end in `=`. */
function isOperatorTail(code: number, first: number): boolean {
  if (code === 0x3d) return first !== 0x7e;
  // `=!x` and `=-x` are two operators each.
  return code === first && first !== 0x3d && first !== 0x21 && first !== 0x7e && first !== 0x2b && first !== 0x2d;
}

function isIdentifierStart(code: number): boolean {
  if (code < 128) return KINDS[code] === CHARACTER.identifierStart;
  return code > 0xa0 && !isWideSpace(code);
}

/** Reserved words begin with one of `b` to `w`; a test that spares most names the lookup. */
function canBeReserved(code: number): boolean {
  return code >= 0x62 && code <= 0x77;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isNewline(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029;
}

function isSpace(code: number): boolean {
  return code < 128 ? KINDS[code] === CHARACTER.space : code === 0xa0 || isWideSpace(code);
}

function isWideSpace(code: number): boolean {
  return (
    code === 0xfeff ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

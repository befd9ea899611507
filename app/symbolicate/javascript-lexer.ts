import { type Options, Parser, type TokenType, tokTypes } from "acorn";

/** Kinds of tokens that the search for functions must tell apart. */
export const TOKEN = {
  end: 0,
  /** Identifiers, including names of properties, and private names with their `#`. */
  identifier: 1,
  keyword: 2,
  string: 3,
  /** Numbers and regular expressions. */
  literal: 4,
  /** One of `(){}[];,:?` and `.` (also `?.`). The character is in `code`. */
  punctuator: 5,
  /** `=`, and operators that only assign a missing value. */
  assign: 6,
  arrow: 7,
  /** `++` or `--`. */
  step: 8,
  operator: 9,
  /** A template up to its end, or up to `${`: then `code` is that of `{`. */
  template: 10,
} as const;

const { name, privateId, _this, _super, _null, _true, _false } = tokTypes;
const { parenL, parenR, braceL, braceR, bracketL, bracketR, semi, comma, colon, question, dot, questionDot } = tokTypes;
/** Every other type of acorn is a keyword or an operator. */
const KINDS = new Map<TokenType, number>([
  [tokTypes.eof, TOKEN.end],
  ...[name, privateId, _this, _super, _null, _true, _false].map((type) => [type, TOKEN.identifier] as const),
  [tokTypes.string, TOKEN.string],
  [tokTypes.num, TOKEN.literal],
  [tokTypes.regexp, TOKEN.literal],
  ...[parenL, parenR, braceL, braceR, bracketL, bracketR].map((type) => [type, TOKEN.punctuator] as const),
  ...[semi, comma, colon, question, dot, questionDot].map((type) => [type, TOKEN.punctuator] as const),
  [tokTypes.eq, TOKEN.assign],
  [tokTypes.arrow, TOKEN.arrow],
  [tokTypes.incDec, TOKEN.step],
  [tokTypes.backQuote, TOKEN.template],
]);
const AT = "@".charCodeAt(0);
/** A number, also in `1..toString`: the second point does not belong to it. */
const NUMBER = /0[xob][\da-f_]+n?|[\d_]*(?:\.[\d_]*)?(?:e[+-]?[\d_]+)?n?/iy;

/** Code that no JavaScript engine would take either: a text or a comment that does not end. */
export class LexerError extends Error {
  override name = "LexerError";
}

/** Members of acorn's parser that its plugins use and its types leave out. */
interface AcornTokenizer {
  readonly input: string;
  pos: number;
  start: number;
  readonly end: number;
  readonly type: TokenType;
  readonly value: unknown;
  lastTokEnd: number;
  exprAllowed: boolean;
  nextToken(): void;
  readTmplToken(): void;
  getTokenFromCode(code: number): void;
  finishOp(type: TokenType, length: number): void;
}

const AcornParser = Parser as unknown as new (options: Options, text: string) => AcornTokenizer;

/** Acorn's tokenizer, without values, and without its guesses of the context of a token, which the scan knows better. */
class Tokenizer extends AcornParser {
  updateContext(): void {}
  validateRegExpFlags(): void {}
  validateRegExpPattern(): void {}
  raiseRecoverable(): void {}
  raise(at: number, message: string): never {
    throw new LexerError(`${message} at ${at}`);
  }
  /** The value of a million digits before an `n` would take a second. */
  readNumber(): void {
    NUMBER.lastIndex = this.pos;
    this.finishOp(tokTypes.num, NUMBER.exec(this.input)?.[0].length ?? 1);
  }
  readRadixNumber(): void {
    this.readNumber();
  }
  /** Decorators are not acorn's. */
  override getTokenFromCode(code: number): void {
    if (code === AT) this.finishOp(tokTypes.prefix, 1);
    else super.getTokenFromCode(code);
  }
}

/** Reads JavaScript token by token. Whether `/` divides or begins a regular expression, the caller must say. */
export class JavascriptLexer {
  readonly #text: string;
  readonly #tokenizer: Tokenizer;
  kind: number = TOKEN.end;
  /** Character code of a punctuator; see `TOKEN.template`. */
  code = 0;
  start = 0;
  end = 0;
  hasNewlineBefore = false;

  constructor(text: string) {
    this.#text = text;
    this.#tokenizer = new Tokenizer({ ecmaVersion: "latest", allowHashBang: true, sourceType: "script" }, text);
  }

  /** Text of the token. */
  get text(): string {
    return this.#text.slice(this.start, this.end);
  }

  /** Reads the next token. `canDivide`: what stands before is a value. @throws LexerError */
  next(canDivide: boolean): void {
    const tokenizer = this.#tokenizer;
    tokenizer.lastTokEnd = this.end;
    tokenizer.exprAllowed = !canDivide;
    tokenizer.nextToken();
    const { type, start, value } = tokenizer;
    this.hasNewlineBefore = this.#hasNewline(this.end, start);
    this.start = start;
    this.end = tokenizer.end;
    this.kind = KINDS.get(type) ?? (type.keyword ? TOKEN.keyword : TOKEN.operator);
    this.code = type === questionDot ? 0x2e : this.#text.charCodeAt(start);
    if (type === tokTypes.assign && (value === "||=" || value === "&&=" || value === "??=")) this.kind = TOKEN.assign;
    else if (this.kind === TOKEN.template) this.continueTemplate();
  }

  /** Goes on in a template after the `}` of one of its expressions: to be called when that is the token. */
  continueTemplate(): void {
    const tokenizer = this.#tokenizer;
    do {
      tokenizer.start = tokenizer.pos;
      tokenizer.readTmplToken();
    } while (tokenizer.type === tokTypes.template || tokenizer.type === tokTypes.invalidTemplate);
    this.kind = TOKEN.template;
    this.code = tokenizer.type === tokTypes.dollarBraceL ? 0x7b : 0;
    this.end = tokenizer.end;
  }

  #hasNewline(from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (isNewline(this.#text.charCodeAt(at))) return true;
    return false;
  }
}

function isNewline(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029;
}

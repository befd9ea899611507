import { ExternalTokenizer, type InputStream, type Stack } from "@lezer/lr";
import { canFollowBang, continuesKey, startsKey } from "./search-key.ts";
import {
  AndOp,
  Bang,
  Comma,
  Compare,
  Item,
  Key,
  ListClose,
  ListOpen,
  NoClose,
  NoOperand,
  NoValue,
  OrOp,
  ParenClose,
  ParenOpen,
  Quoted,
  Value,
  Word,
} from "./search-parser.terms.ts";

const END = -1;
/** The characters that the grammar skips: `@whitespace` of Lezer. */
const BLANK = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
/** Characters before which a colon is text: `TypeError: x`, `std::x`, `C:\x`. */
const AFTER_TEXT_COLON = /[\s:\\]/;
const COMPARES = [">=", "<=", ">", "<"];

interface Token {
  term: number;
  /** Characters. 0 for a missing part. */
  length: number;
}

/** The parser's state decides what a character means: `[` opens a list only where a value is expected. */
export const tokens = new ExternalTokenizer(
  (input, stack) => {
    const token = readToken(input, stack);
    if (token === null) return;
    for (let advanced = 0; advanced < token.length; advanced++) input.advance();
    input.acceptToken(token.term);
  },
  { contextual: true },
);

/** Null: blanks, or nothing that the parser can take. */
function readToken(input: InputStream, stack: Stack): Token | null {
  if (stack.canShift(Value)) return readValue(input, stack);
  if (stack.canShift(Item)) return readItem(input);
  if (input.next === END) {
    const missing = [NoOperand, NoClose].find((term) => stack.canShift(term));
    return missing === undefined ? null : { term: missing, length: 0 };
  }
  if (BLANK.test(charAt(input, 0))) return null;
  return stack.canShift(Comma) ? readAfterItem(input) : readOperand(input, stack);
}

/** Reads what follows a key. */
function readValue(input: InputStream, stack: Stack): Token {
  const compare = COMPARES.find((sign) => startsWith(input, sign));
  if (compare !== undefined && stack.canShift(Compare)) return { term: Compare, length: compare.length };
  if (charAt(input, 0) === "[") return { term: ListOpen, length: 1 };
  const length = measureValue(input, (char) => BLANK.test(char));
  return { term: length === 0 ? NoValue : Value, length };
}

/** Within a list; blanks within an item belong to it, blanks around it do not. */
function readItem(input: InputStream): Token | null {
  const next = charAt(input, 0);
  if (next !== "" && BLANK.test(next)) return null;
  if (next === "" || next === "," || next === "]") return { term: NoValue, length: 0 };
  let length = measureValue(input, (char) => char === "," || char === "]", { hasParens: true });
  while (BLANK.test(charAt(input, length - 1))) length--;
  return { term: Item, length };
}

function readAfterItem(input: InputStream): Token | null {
  const next = charAt(input, 0);
  if (next === ",") return { term: Comma, length: 1 };
  return next === "]" ? { term: ListClose, length: 1 } : null;
}

function readOperand(input: InputStream, stack: Stack): Token {
  const next = charAt(input, 0);
  const operator = startsWithWord(input, "OR") ? OrOp : startsWithWord(input, "AND") ? AndOp : null;
  if ((operator !== null || next === ")") && stack.canShift(NoOperand)) return { term: NoOperand, length: 0 };
  // After `!` it is a word.
  if (operator !== null && stack.canShift(operator)) return { term: operator, length: operator === OrOp ? 2 : 3 };
  if (next === "(") return { term: ParenOpen, length: 1 };
  // A parenthesis that closes nothing is a word, and gives an error.
  if (next === ")") return { term: stack.canShift(ParenClose) ? ParenClose : Word, length: 1 };
  if (next === "!" && (charAt(input, 1) === "(" || canFollowBang(charAt(input, 1))) && stack.canShift(Bang))
    return { term: Bang, length: 1 };
  const keyLength = measureKey(input);
  if (keyLength > 0) return { term: Key, length: keyLength };
  if (next === '"') return { term: Quoted, length: measureQuoted(input, 0) };
  return { term: Word, length: measureWord(input) };
}

/** `plan:`, `tags[plan]:`, `"a plan":`, with the colon; 0: there is none. */
function measureKey(input: InputStream): number {
  let length = 0;
  if (charAt(input, 0) === '"') length = measureQuoted(input, 0);
  else if (charAt(input, 0) === "*") while (charAt(input, length) === "*") length++;
  else if (startsKey(charAt(input, 0))) {
    while (continuesKey(charAt(input, length))) length++;
    if (length === 4 && startsWith(input, "tags[")) {
      while (charAt(input, length) !== "]" && !isBlankOrEnd(charAt(input, length))) length++;
      if (charAt(input, length) !== "]") return 0;
      length++;
    }
  }
  if (length === 0 || charAt(input, length) !== ":") return 0;
  const after = charAt(input, length + 1);
  if (after === "" || AFTER_TEXT_COLON.test(after)) return 0;
  // `http://…` is text, `transaction:/checkout` a filter.
  return after === "/" && charAt(input, length + 2) === "/" ? 0 : length + 1;
}

/** The length of a quoted text with both quotes. Without the second quote, it extends to the end. */
function measureQuoted(input: InputStream, from: number): number {
  for (let at = from + 1; ; at++) {
    const char = charAt(input, at);
    if (char === "") return at - from;
    if (char === '"') return at + 1 - from;
    if (char === "\\" && /["\\]/.test(charAt(input, at + 1))) at++;
  }
}

/** Text and quoted parts up to an end; parentheses belong to it in pairs. */
function measureValue(input: InputStream, isEnd: (char: string) => boolean, { hasParens = false } = {}): number {
  let length = 0;
  let depth = 0;
  for (;;) {
    const char = charAt(input, length);
    if (char === "" || isEnd(char)) return length;
    if (char === "(") depth++;
    else if (char === ")" && !hasParens && --depth < 0) return length;
    length += char === '"' ? measureQuoted(input, length) : 1;
  }
}

/** Quotes within a word are text. */
function measureWord(input: InputStream): number {
  let length = 0;
  for (let depth = 0; ; length++) {
    const char = charAt(input, length);
    if (isBlankOrEnd(char)) return length;
    if (char === "(") depth++;
    else if (char === ")" && --depth < 0) return length;
  }
}

function startsWithWord(input: InputStream, word: string): boolean {
  if (!startsWith(input, word)) return false;
  const after = charAt(input, word.length);
  return isBlankOrEnd(after) || after === "(" || after === ")";
}

function startsWith(input: InputStream, text: string): boolean {
  for (let at = 0; at < text.length; at++) if (charAt(input, at) !== text[at]) return false;
  return true;
}

function isBlankOrEnd(char: string): boolean {
  return char === "" || BLANK.test(char);
}

/** A code unit; empty at the end. */
function charAt(input: InputStream, offset: number): string {
  const code = input.peek(offset);
  return code < 0 ? "" : String.fromCharCode(code);
}

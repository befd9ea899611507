import { findCardNumbers, type TextRange } from "./find-card-numbers.ts";
import { isOpaque, isRevealing, type KeyRule, type ScrubRule } from "./find-key-rule.ts";
import { BUILT_IN_RULES, type ScrubRules } from "./scrub-rules.ts";

export interface TextRemark extends TextRange {
  rule: ScrubRule;
}

export interface ScrubbedText {
  text: string;
  /** Where the replacements stand in the new text. */
  remarks: TextRemark[];
}

interface Finding extends TextRange {
  rule: ScrubRule;
  replacement: string;
}

export const FILTERED = "[Filtered]";
const FILTERED_CARD = "[Filtered: card number]";
const FILTERED_KEY = "[Filtered: private key]";

/** Longer values are cut at this length when they are searched. */
const MAX_NAME_LENGTH = 64;
const MAX_USERINFO_LENGTH = 300;

/**
 * Finds secrets inside a text: card numbers, private keys, bearer tokens and the like, passwords in URLs, and the value after a telling
 * name (`password=…`, `"api_key": "…"`, `Authorization: …`), as in query strings, form bodies, JSON and printed objects. Null when there is
 * none.
 */
export function scrubText(text: string, rules: ScrubRules = BUILT_IN_RULES): ScrubbedText | null {
  if (!mayHoldSecret(text, rules)) return null;
  const findings: Finding[] = [];
  findNamedValues(text, findings, rules);
  if (rules.findsShapes) findShapes(text, findings);
  return findings.length === 0 ? null : replaceAll(text, findings);
}

function findShapes(text: string, findings: Finding[]): void {
  findPrivateKeys(text, findings);
  findUrlPasswords(text, findings);
  findSchemeTokens(text, findings);
  findWebTokens(text, findings);
  for (const range of findCardNumbers(text))
    findings.push({ ...range, rule: "@creditcard", replacement: FILTERED_CARD });
}

const HAS_SIGN = /[=:@]/;
/**
 * Secrets that can be recognized without a sign in front: thirteen digits, a token after its scheme, a private key, a web token (`eyJ`).
 * Digits are counted once, from the first of them, and tokens are searched by their rare letter, because most of the cost is at each digit
 * and each `e`.
 */
const HAS_SHAPE = /(?<!\d)\d(?:[ -]*\d){12}|[bB](?:[eE][aA][rR][eE][rR]|[aA][sS][iI][cC]) |-----BEGIN|(?<=e)yJ/;
/** No recognizable secret is shorter. */
const MIN_SHAPE_LENGTH = 13;

/**
 * Whether the text may contain a secret. A harmless text costs a nanosecond a character: searches for a sign and one expression read it.
 */
function mayHoldSecret(text: string, rules: ScrubRules): boolean {
  if (HAS_SIGN.test(text) && hasSecretBySign(text, rules)) return true;
  return rules.findsShapes && text.length >= MIN_SHAPE_LENGTH && HAS_SHAPE.test(text);
}

function hasSecretBySign(text: string, rules: ScrubRules): boolean {
  for (let at = text.indexOf("="); at >= 0; at = text.indexOf("=", at + 1)) {
    if (findRuleBefore(text, at, false, rules) !== null) return true;
  }
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    if (findRuleBefore(text, at, true, rules) !== null) return true;
  }
  for (let at = rules.findsShapes ? text.indexOf("@") : -1; at >= 0; at = text.indexOf("@", at + 1)) {
    if (hasPasswordBefore(text, at)) return true;
  }
  return false;
}

function hasPasswordBefore(text: string, at: number): boolean {
  for (let index = at - 1; index >= Math.max(0, at - MAX_USERINFO_LENGTH); index--) {
    const code = text.charCodeAt(index);
    if (code === 0x3a) {
      if (text.charCodeAt(index + 1) !== 0x2f) continue;
      return text.charCodeAt(index + 2) === 0x2f && text.lastIndexOf(":", at) > index;
    }
    // The search stops at another `@`. Otherwise a text full of them would be read over and over.
    if (code <= 0x20 || code === 0x40) return false;
  }
  return false;
}

function isQuote(code: number): boolean {
  return code === 0x22 || code === 0x27;
}

interface NamedRule {
  rule: KeyRule;
  /** The quote around the name: in JSON the value has the same. Empty for a bare name. */
  quote: string;
}

/** The rule of the name before a `=` or `:`. A colon only counts after a quoted name, and after names that are no plain words. */
function findRuleBefore(text: string, at: number, isColon: boolean, rules: ScrubRules): NamedRule | null {
  let end = at;
  if (text.charCodeAt(end - 1) === 0x20) end--;
  const quoteEnd = end;
  if (isQuote(text.charCodeAt(end - 1))) {
    end--;
    if (text.charCodeAt(end - 1) === 0x5c) end--;
  } else if (isColon && end !== at) return null;
  const quote = text.slice(end, quoteEnd);
  let start = end;
  const first = Math.max(0, end - MAX_NAME_LENGTH);
  while (start > first && isNameCode(text.charCodeAt(start - 1))) start--;
  if (end - start < 3) return null;
  const name = text.slice(start, end);
  const rule = rules.findName(name);
  if (rule === null) return null;
  if (isColon && quote === "" && !countsBeforeColon(name, rule)) return null;
  return { rule, quote };
}

function isNameCode(code: number): boolean {
  const folded = code | 0x20;
  return (
    (folded >= 0x61 && folded <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e
  );
}

/** False for words that prose writes before a colon, like "unexpected token: }" and "this session: closed". */
function countsBeforeColon(name: string, { rule }: KeyRule): boolean {
  if (rule === "@own") return true;
  if (rule === "@password" || rule === "@apikey" || rule === "@cookie" || rule === "@privatekey") return true;
  return /^(?:proxy-)?authorization$|[_-]|[a-z][A-Z]/i.test(name) && !/^(?:auth|token|secret|session)$/i.test(name);
}

function findNamedValues(text: string, findings: Finding[], rules: ScrubRules): void {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x3d && code !== 0x3a) continue;
    const named = findRuleBefore(text, at, code === 0x3a, rules);
    if (named === null) continue;
    const range = findValue(text, at, named);
    if (range === null) continue;
    const value = text.slice(range.start, range.end);
    const isSecret = isRevealing(value) && (named.rule.covers !== "opaque" || isOpaque(value));
    if (isSecret) {
      // A number or a list in JSON is replaced by a quoted text, so that it stays JSON.
      const quote = code === 0x3a && !isQuote(text.charCodeAt(range.start - 1)) ? named.quote : "";
      findings.push({ ...range, rule: named.rule.rule, replacement: `${quote}${FILTERED}${quote}` });
    }
    // A quoted value may be a sentence with more secrets in it, so the search continues inside. A bare word is finished.
    if (isSecret || !isQuote(text.charCodeAt(range.end))) at = range.end - 1;
  }
}

/** The range of the value after the sign at `at`: up to its closing quote or bracket, or to the end of its word or line. */
function findValue(text: string, at: number, named: NamedRule): TextRange | null {
  let start = at + 1;
  const next = text.charCodeAt(start);
  // It is a comparison or an arrow.
  if (next === 0x3d || next === 0x3e) return null;
  while (text.charCodeAt(start) === 0x20 && start - at < 4) start++;
  const isColon = text.charCodeAt(at) === 0x3a;
  const hasGap = start > at + 1;
  const escapeLength = text.charCodeAt(start) === 0x5c ? 1 : 0;
  const quote = text.charCodeAt(start + escapeLength);
  if (isQuote(quote)) return findQuoted(text, start + escapeLength + 1, quote, escapeLength === 1);
  if (quote === 0x7b || quote === 0x5b) {
    return named.rule.covers === "all" && named.quote !== "" ? { start, end: findClosing(text, start) } : null;
  }
  if (isColon && named.quote === "" && isWholeLine(named.rule.rule)) return findLine(text, start);
  // "token = next()" is a statement, not a value.
  if (hasGap && !isColon && named.rule.covers !== "all") return null;
  return findWord(text, start, isColon && named.quote !== "");
}

function isWholeLine(rule: ScrubRule): boolean {
  return rule === "@authorization" || rule === "@cookie";
}

function findQuoted(text: string, start: number, quote: number, isEscaped: boolean): TextRange {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return { start, end: isEscaped && text.charCodeAt(at - 1) === 0x5c ? at - 1 : at };
    if (code === 0x5c && !(isEscaped && text.charCodeAt(at + 1) === quote)) at++;
  }
  return { start, end: text.length };
}

/** Offset behind the bracket that closes the one at `start`, or the end of the text. */
function findClosing(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) depth++;
    else if ((code === 0x7d || code === 0x5d) && --depth === 0) return at + 1;
  }
  return text.length;
}

function findLine(text: string, start: number): TextRange | null {
  let end = start;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 0x0a || code === 0x0d || code === 0x22 || code === 0x27) break;
  }
  return end > start ? { start, end } : null;
}

/** The range up to the next sign that ends a parameter. Brackets and commas at the end belong to the sentence around it. */
function findWord(text: string, start: number, isInJson: boolean): TextRange | null {
  let end = start;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    // & ; " ' < > # and white space
    if (code <= 0x20 || code === 0x26 || code === 0x3b || code === 0x22 || code === 0x27) break;
    if (code === 0x3c || code === 0x3e || code === 0x23) break;
    if (isInJson && (code === 0x2c || code === 0x7d || code === 0x5d)) break;
  }
  while (end > start && isClosingCode(text.charCodeAt(end - 1))) end--;
  return end > start ? { start, end } : null;
}

/** ) , . ] } */
function isClosingCode(code: number): boolean {
  return code === 0x29 || code === 0x2c || code === 0x2e || code === 0x5d || code === 0x7d;
}

function findPrivateKeys(text: string, findings: Finding[]): void {
  for (let at = text.indexOf("-----BEGIN"); at >= 0; at = text.indexOf("-----BEGIN", at + 10)) {
    const label = /^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/.exec(text.slice(at, at + 80));
    if (label === null) continue;
    const footer = text.indexOf("-----END", at);
    const close = footer < 0 ? -1 : text.indexOf("-----", footer + 8);
    const end = footer < 0 || close < 0 || close > footer + 80 ? text.length : close + 5;
    findings.push({ start: at, end, rule: "@privatekey", replacement: FILTERED_KEY });
    at = end - 10;
  }
}

function findUrlPasswords(text: string, findings: Finding[]): void {
  for (const match of text.matchAll(/:\/\/([^\s/?#:@"'<>]{0,256}):([^\s/?#"'<>]{1,256})@/g)) {
    const [, user = "", password = ""] = match;
    if (!isRevealing(password)) continue;
    const start = match.index + 3 + user.length + 1;
    findings.push({ start, end: start + password.length, rule: "@url-password", replacement: FILTERED });
  }
}

function findSchemeTokens(text: string, findings: Finding[]): void {
  for (const match of text.matchAll(/\b(bearer|basic)( +)([\w.~+/=-]{8,})/gi)) {
    const [, scheme = "", gap = "", token = ""] = match;
    const isToken =
      scheme.toLowerCase() === "basic" ? isBasicAuth(token) : /[\d._~+/=]/.test(token) || token.length >= 24;
    if (!isToken) continue;
    const start = match.index + scheme.length + gap.length;
    findings.push({ start, end: start + token.length, rule: "@bearer", replacement: FILTERED });
  }
}

/** Whether it is Base64 of `user:password`. "Basic Information" is not. */
function isBasicAuth(token: string): boolean {
  if (!/^[\w+/-]{6,1000}={0,2}$/.test(token)) return false;
  const decoded = Buffer.from(token, "base64").toString("latin1");
  return decoded.includes(":") && /^[\x20-\x7e\xa0-\xff]*$/.test(decoded);
}

function findWebTokens(text: string, findings: Finding[]): void {
  for (const match of text.matchAll(/(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/g)) {
    findings.push({ start: match.index, end: match.index + match[0].length, rule: "@bearer", replacement: FILTERED });
  }
}

function replaceAll(text: string, findings: Finding[]): ScrubbedText {
  findings.sort((a, b) => a.start - b.start || b.end - a.end);
  const remarks: TextRemark[] = [];
  let result = "";
  let copiedTo = 0;
  for (const { start, end, rule, replacement } of findings) {
    // It is inside a range that was replaced already.
    if (start < copiedTo) continue;
    result += text.slice(copiedTo, start);
    remarks.push({ rule, start: result.length, end: result.length + replacement.length });
    result += replacement;
    copiedTo = end;
  }
  return { text: result + text.slice(copiedTo), remarks };
}

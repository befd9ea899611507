import { quote, unquote } from "./quote.ts";

/** A key as it is written before the colon of a filter. */
export interface SearchKey {
  /** The key without quotes, and without `tags[…]`. */
  key: string;
  /** Whether it is in `tags[…]`: then it is a tag, even if the key has another meaning. */
  isTag: boolean;
}

/**
 * Outside ASCII, what needs no quotes. SDKs send keys in all scripts, and with emoji; a tokenizer sees each half of an emoji by itself.
 * Punctuation belongs to the text around a key.
 */
const BEYOND_ASCII = "(?!\\p{ASCII})[\\p{L}\\p{M}\\p{N}\\p{S}\\p{Cs}\\u200c\\u200d]";
const FIRST = `(?:[a-zA-Z_]|${BEYOND_ASCII})`;
const FURTHER = `(?:[\\w.-]|${BEYOND_ASCII})`;
const STARTS = new RegExp(`^${FIRST}`, "u");
const CONTINUES = new RegExp(`^${FURTHER}`, "u");
const BARE = new RegExp(`^${FIRST}${FURTHER}*$`, "u");

/** Whether a key without quotes may begin with this UTF-16 code unit. */
export function startsKey(char: string): boolean {
  return STARTS.test(char);
}

export function continuesKey(char: string): boolean {
  return CONTINUES.test(char);
}

/** Whether `!` before it leaves something out. Before other signs, it is text, as in `a !== b`. */
export function canFollowBang(char: string): boolean {
  return startsKey(char) || /[\d"*]/.test(char);
}

/** Whether the key needs no quotes. */
export function isBareKey(key: string): boolean {
  return BARE.test(key);
}

export function readSearchKey(text: string): SearchKey {
  const [, tag] = /^tags\[(.*)\]$/s.exec(text) ?? [];
  if (tag !== undefined) return { key: tag, isTag: true };
  return { key: text.startsWith('"') ? unquote(text) : text.replace(/^\*+$/, "*"), isTag: false };
}

/** `readSearchKey` reads the same key from it. */
export function printSearchKey({ key, isTag }: SearchKey): string {
  if (isTag) return `tags[${key}]`;
  return key === "*" || isBareKey(key) ? key : quote(key);
}

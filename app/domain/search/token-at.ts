import type { SyntaxNode } from "@lezer/common";
import { isBareKey, readSearchKey, type SearchKey } from "./search-key.ts";
import { Bang, Filter, Item, Key, List, Not, NoValue, Quoted, Value, Word } from "./search-parser.terms.ts";
import { parser } from "./search-parser.ts";
import type { Span } from "./search-tree.ts";

/** The part of a search that somebody is typing: the caret is inside it or right after it. */
export interface TypedToken extends Span {
  /** `!`, or nothing. */
  sign: string;
  /** The part before the colon. Null: no key is typed yet. */
  key: SearchKey | null;
  /** Whether only an item of a list is meant: `from` and `to` are its own then. */
  isItem: boolean;
  /** The key, value or text from its start to the caret, without an opening quote. */
  letters: string;
  isQuoted: boolean;
  /** For a list: the other values in it, without quotes. */
  others: readonly string[];
}

/** `caret` counts characters from the start. Never fails; with nothing at the caret, the token is empty. */
export function findTokenAt(text: string, caret: number): TypedToken {
  const empty: TypedToken = {
    from: caret,
    to: caret,
    sign: "",
    key: null,
    isItem: false,
    letters: "",
    isQuoted: false,
    others: [],
  };
  let node: SyntaxNode | null = parser.parse(text).resolveInner(caret, -1);
  while (node && !TOKENS.has(node.type.id)) node = node.parent;
  if (node === null) return empty;
  if (node.type.id === Bang) return { ...empty, from: node.from, to: node.to, sign: "!" };
  const filter = findFilter(node);
  const list = filter?.getChild("List") ?? null;
  if (filter && list) {
    const item = node.type.id === Item ? node : null;
    // Between items, or after the list.
    if (caret <= list.from || (list.getChild("ListClose") !== null && caret >= list.to)) return empty;
    return {
      ...empty,
      from: item?.from ?? caret,
      to: item ? findEnd(text, item, caret) : caret,
      key: readKey(text, filter),
      isItem: true,
      others: list
        .getChildren("Item")
        .filter(({ from }) => from !== item?.from)
        .map(({ from, to }) => readItem(text.slice(from, to))),
      ...readLetters(text, item?.from ?? caret, caret),
    };
  }
  const whole = filter ?? node;
  const isNegated = whole.parent?.type.id === Not;
  const from = isNegated ? (whole.parent as SyntaxNode).from : whole.from;
  const place = { from, to: whole.to, sign: isNegated ? "!" : "", isItem: false, others: [] };
  if (filter) {
    const colon = (filter.getChild("Key") as SyntaxNode).to;
    if (caret < colon) return { ...place, key: null, ...readLetters(text, whole.from, caret) };
    const to = findEnd(text, { from: colon, to: whole.to }, caret);
    return { ...place, to, key: readKey(text, filter), ...readLetters(text, colon, caret) };
  }
  const typed = text.slice(whole.from, caret);
  // A sign or a colon after which nothing is typed yet is a word for the parser.
  const quoted = typed === ":" ? findQuotedBefore(whole) : null;
  if (quoted) {
    const isOut = quoted.parent?.type.id === Not;
    const start = isOut ? (quoted.parent as SyntaxNode).from : quoted.from;
    const key = readSearchKey(text.slice(quoted.from, quoted.to));
    return { ...place, from: start, sign: isOut ? "!" : "", key, letters: "", isQuoted: false };
  }
  const [, sign = "", rest = ""] = /^(!?)(.*)$/s.exec(typed) ?? [];
  const key = rest.endsWith(":") ? rest.slice(0, -1) : "";
  if (isBareKey(key) || /^tags\[[^\]]+\]$/.test(key))
    return { ...place, sign: place.sign || sign, key: readSearchKey(key), letters: "", isQuoted: false };
  return { ...place, sign: place.sign || sign, key: null, ...readLetters(text, whole.from + sign.length, caret) };
}

/** A quote that is not closed has all that follows in it: then the value that is typed ends with the word at the caret. */
function findEnd(text: string, value: Span, caret: number): number {
  const typed = text.slice(value.from, value.to);
  if (!typed.startsWith('"') || /^"(?:[^"\\]|\\.)*"/s.test(typed)) return value.to;
  return caret + (/^[^\s,\]]*/.exec(text.slice(caret, value.to))?.[0].length ?? 0);
}

const TOKENS: ReadonlySet<number> = new Set([Bang, Filter, Item, Key, List, NoValue, Quoted, Value, Word]);

/** Quoted text that ends where this begins. */
function findQuotedBefore(node: SyntaxNode): SyntaxNode | null {
  const { prevSibling } = node;
  const quoted = prevSibling?.type.id === Not ? prevSibling.lastChild : prevSibling;
  return quoted?.type.id === Quoted && quoted.to === node.from ? quoted : null;
}

/** The text of an item that is quoted as a whole, or not at all. */
function readItem(item: string): string {
  return item.startsWith('"') ? item.replace(/^"|"$/g, "").replace(/\\(["\\])/g, "$1") : item;
}

function findFilter(node: SyntaxNode): SyntaxNode | null {
  let each: SyntaxNode | null = node;
  while (each && each.type.id !== Filter) each = each.parent;
  return each;
}

function readKey(text: string, filter: SyntaxNode): SearchKey {
  const key = filter.getChild("Key") as SyntaxNode;
  return readSearchKey(text.slice(key.from, key.to - 1));
}

function readLetters(text: string, from: number, caret: number): { letters: string; isQuoted: boolean } {
  const typed = text.slice(from, caret);
  return typed.startsWith('"') ? { letters: typed.slice(1), isQuoted: true } : { letters: typed, isQuoted: false };
}

import type { SearchKey } from "./search-key.ts";

/** Characters (UTF-16 code units) of the text; the end exclusive. */
export interface Span {
  from: number;
  to: number;
}

/** An error in a search, in one sentence or two, with its position. */
export interface SearchError extends Span {
  message: string;
}

/** A search as it was typed: nothing is known of keys and their values yet. */
export type SearchNode = AllNode | AnyNode | NotNode | FilterNode | TextNode;

/** All must hold: words side by side, or with `AND` between. At least two parts. */
export interface AllNode extends Span {
  kind: "all";
  parts: SearchNode[];
}

/** One of the parts must be true: `OR`. At least two parts. */
export interface AnyNode extends Span {
  kind: "any";
  parts: SearchNode[];
}

/** `!` before a filter, text or group. */
export interface NotNode extends Span {
  kind: "not";
  part: SearchNode;
}

export type CompareSign = ">" | ">=" | "<" | "<=";

/** `key:value`, `key:>value`, `key:[value, value]`. */
export interface FilterNode extends Span, SearchKey {
  kind: "filter";
  keySpan: Span;
  /** Null: the value itself is meant. */
  sign: CompareSign | null;
  isList: boolean;
  /** At least one. */
  values: SearchValue[];
}

/** A word or quoted words without a key. */
export interface TextNode extends Span {
  kind: "text";
  value: SearchValue;
}

/** Stands for any characters, or none, in a value: `*`. Plain data, because the built pages and the stores have modules of their own. */
export const ANY_TEXT = null;

export interface SearchValue extends Span {
  /** Texts and stars in turn. It is never empty, and has no empty text beside another part. */
  parts: ReadonlyArray<string | typeof ANY_TEXT>;
  /** Whether part of it is in quotes. */
  isQuoted: boolean;
}

/** The text of a value without `*`. Null for a value with one. */
export function toPlainText({ parts }: Pick<SearchValue, "parts">): string | null {
  if (parts.length === 0) return "";
  const [text] = parts;
  return parts.length === 1 && typeof text === "string" ? text : null;
}

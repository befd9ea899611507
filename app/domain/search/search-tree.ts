import type { SearchKey } from "./search-key.ts";

/** Characters (UTF-16 code units) of the text; the end exclusive. */
export interface Span {
  from: number;
  to: number;
}

/** What is wrong with a search, in one sentence or two, and where. */
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

/** One must hold: `OR`. At least two parts. */
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
  /** Text and what stands for any text, in turn; never empty, and without empty text next to another part. */
  parts: ReadonlyArray<string | typeof ANY_TEXT>;
  /** Whether some of it stands in quotes. */
  isQuoted: boolean;
}

/** The text of a value that is only text; null for one with `*`. */
export function toPlainText({ parts }: Pick<SearchValue, "parts">): string | null {
  if (parts.length === 0) return "";
  const [text] = parts;
  return parts.length === 1 && typeof text === "string" ? text : null;
}

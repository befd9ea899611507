import type { SyntaxNode } from "@lezer/common";
import { unquote } from "./quote.ts";
import { readSearchKey } from "./search-key.ts";
import {
  And,
  AndOp,
  Compare,
  Filter,
  Group,
  Item,
  Key,
  List,
  ListOpen,
  NoClose,
  NoOperand,
  Not,
  NoValue,
  Or,
  OrOp,
  ParenOpen,
  Quoted,
  Value,
  Word,
} from "./search-parser.terms.ts";
import { parser } from "./search-parser.ts";
import {
  ANY_TEXT,
  type CompareSign,
  type FilterNode,
  type SearchError,
  type SearchNode,
  type SearchValue,
  type Span,
} from "./search-tree.ts";

/** Characters. A pasted message has fewer. */
export const MAX_SEARCH_LENGTH = 2_000;
/** Filters, words and quoted texts. */
export const MAX_SEARCH_TERMS = 100;
/** Groups within groups. */
export const MAX_SEARCH_DEPTH = 20;
export const MAX_LIST_VALUES = 100;

/** `count():>5`, `p95(span.duration):1s`. Text like `run(): failed` is none. */
const FIGURE = /^([a-z_\d.]+\([^()]*\)):[<>=-]*\d/i;

export interface ParsedSearch {
  /** Null: the search is empty, or there are errors. */
  tree: SearchNode | null;
  /** In the order of their places. */
  errors: SearchError[];
}

/** Never throws, and takes a time that is bounded by the limits above. */
export function parseSearch(text: string): ParsedSearch {
  if (text.length > MAX_SEARCH_LENGTH) {
    const message = `A search has at most ${MAX_SEARCH_LENGTH.toLocaleString("en")} characters; this one has ${text.length.toLocaleString("en")}.`;
    return { tree: null, errors: [{ from: MAX_SEARCH_LENGTH, to: text.length, message }] };
  }
  const reader = new TreeReader(text);
  const top = parser.parse(text).topNode.firstChild;
  const tree = top === null || top.type.id === NoOperand ? null : reader.read(top, 0);
  const errors = reader.errors.sort((one, other) => one.from - other.from);
  return { tree: errors.length > 0 ? null : tree, errors };
}

/** The place of the first error first, so that a caller can show only that. */
class TreeReader {
  readonly errors: SearchError[] = [];
  readonly #text: string;
  #termCount = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(node: SyntaxNode, depth: number): SearchNode {
    const { from, to } = node;
    if (depth > MAX_SEARCH_DEPTH) {
      this.#refuse(node, `A search has at most ${MAX_SEARCH_DEPTH} groups within each other.`);
      return toEmptyText(node);
    }
    switch (node.type.id) {
      case And:
        return { kind: "all", from, to, parts: this.#readParts(node, depth) };
      case Or:
        return { kind: "any", from, to, parts: this.#readParts(node, depth) };
      case Not:
        return { kind: "not", from, to, part: this.read(node.lastChild as SyntaxNode, depth) };
      case Group:
        return this.#readGroup(node, depth);
      case Filter:
        this.#countTerm(node);
        return this.#readFilter(node);
      case Word:
        this.#refuseFigure(node);
        this.#countTerm(node);
        return { kind: "text", from, to, value: this.#readText(node) };
      case Quoted:
        this.#countTerm(node);
        return { kind: "text", from, to, value: this.#readText(node) };
      case NoOperand:
        this.#refuseMissing(node);
        return toEmptyText(node);
      default:
        this.#refuse(node, "This is not understood. Put quotes around what is text.");
        return toEmptyText(node);
    }
  }

  /** Refused, because it would be searched as text and silently find nothing. */
  #refuseFigure(node: SyntaxNode): void {
    const figure = FIGURE.exec(this.#text.slice(node.from, node.to))?.[1];
    if (figure === undefined) return;
    this.#refuse(node, `A search cannot compare figures, like “${figure}”. Put quotes around what is text.`);
  }

  #readParts(node: SyntaxNode, depth: number): SearchNode[] {
    return listChildren(node)
      .filter(({ type }) => type.id !== AndOp && type.id !== OrOp)
      .map((child) => this.read(child, depth));
  }

  #readGroup(node: SyntaxNode, depth: number): SearchNode {
    const [open, inner, close] = listChildren(node) as [SyntaxNode, SyntaxNode, SyntaxNode | undefined];
    if (close === undefined || close.type.id === NoClose)
      this.#refuse(open, "This parenthesis is not closed. Put quotes around text that has parentheses.");
    return this.read(inner, depth + 1);
  }

  #readFilter(node: SyntaxNode): FilterNode {
    const { from, to } = node;
    const children = listChildren(node);
    const keyNode = children.find(({ type }) => type.id === Key) as SyntaxNode;
    const sign = children.find(({ type }) => type.id === Compare);
    const list = children.find(({ type }) => type.id === List);
    const keySpan = { from: keyNode.from, to: keyNode.to - 1 };
    const keyText = this.#text.slice(keySpan.from, keySpan.to);
    const { key, isTag } = readSearchKey(keyText);
    if (key === "") this.#refuse(keySpan, "A key has at least one character.");
    const values = list ? this.#readList(list) : [this.#readValue(children.at(-1) as SyntaxNode, `${keyText}:`)];
    return {
      kind: "filter",
      from,
      to,
      key,
      isTag,
      keySpan,
      sign: sign ? (this.#text.slice(sign.from, sign.to) as CompareSign) : null,
      isList: list !== undefined,
      values,
    };
  }

  #readList(list: SyntaxNode): SearchValue[] {
    const children = listChildren(list);
    const items = children.filter(({ type }) => type.id === Item || type.id === NoValue);
    const last = children.at(-1);
    if (last === undefined || last.type.id === NoClose)
      this.#refuse(
        children.find(({ type }) => type.id === ListOpen) ?? list,
        "This list is not closed: “]” is missing.",
      );
    if (items.length > MAX_LIST_VALUES)
      this.#refuse(list, `A list has at most ${MAX_LIST_VALUES} values; this one has ${items.length}.`);
    return items.slice(0, MAX_LIST_VALUES).map((item) => this.#readValue(item, "A list"));
  }

  #readValue(node: SyntaxNode, owner: string): SearchValue {
    if (node.type.id !== Value && node.type.id !== Item) {
      const name = owner === "A list" ? owner : `“${owner}”`;
      this.#refuse({ from: node.from, to: node.to }, `${name} needs a value here.`);
      return { from: node.from, to: node.to, parts: [""], isQuoted: false };
    }
    const text = this.#text.slice(node.from, node.to);
    // Refused, because it would be searched as text and silently find nothing: `plan:(pro OR free)` ends its value at the space.
    if (text.startsWith("(") && !text.includes(")"))
      this.#refuse(
        { from: node.from, to: node.from + 1 },
        "A value cannot be a group. A list of values is written like “[a, b]”. Put quotes around text that has parentheses.",
      );
    return this.#readParted(node);
  }

  #readText(node: SyntaxNode): SearchValue {
    const text = this.#text.slice(node.from, node.to);
    if (node.type.id === Quoted) return this.#readParted(node);
    if (text === ")")
      this.#refuse(node, "This parenthesis closes nothing. Put quotes around text that has parentheses.");
    return { from: node.from, to: node.to, parts: splitAtStars(text), isQuoted: false };
  }

  /** Quoted and bare parts side by side. */
  #readParted({ from, to }: Span): SearchValue {
    const parts: Array<string | typeof ANY_TEXT> = [];
    let isQuoted = false;
    for (const match of this.#text.slice(from, to).matchAll(/"(?:\\["\\]|[^"])*("?)|[^"]+/g)) {
      const [part, end] = match;
      if (!part.startsWith('"')) {
        parts.push(...splitAtStars(part));
        continue;
      }
      isQuoted = true;
      if (end === "") this.#refuse({ from: from + match.index, to }, "This quote is not closed.");
      else parts.push(unquote(part));
    }
    return { from, to, parts: joinTexts(parts), isQuoted };
  }

  #countTerm(span: Span): void {
    this.#termCount++;
    if (this.#termCount === MAX_SEARCH_TERMS + 1)
      this.#refuse(span, `A search has at most ${MAX_SEARCH_TERMS} words and filters. Put quotes around a long text.`);
  }

  #refuseMissing({ from, prevSibling, nextSibling }: SyntaxNode): void {
    const before = findOperator(prevSibling);
    const after = findOperator(nextSibling);
    const hint = "Put quotes around it to search for the word.";
    if (before) this.#refuse(before, `“${this.#slice(before)}” needs something to search for after it. ${hint}`);
    else if (after) this.#refuse(after, `“${this.#slice(after)}” needs something to search for before it. ${hint}`);
    else if (prevSibling?.type.id === ParenOpen && nextSibling?.type.id !== NoClose)
      this.#refuse(
        { from: prevSibling.from, to: nextSibling?.to ?? from },
        "There is nothing between these parentheses.",
      );
  }

  #slice({ from, to }: Span): string {
    return this.#text.slice(from, to);
  }

  #refuse({ from, to }: Span, message: string): void {
    this.errors.push({ from, to, message });
  }
}

function findOperator(node: SyntaxNode | null): SyntaxNode | null {
  return node !== null && (node.type.id === AndOp || node.type.id === OrOp) ? node : null;
}

function toEmptyText({ from, to }: Span): SearchNode {
  return { kind: "text", from, to, value: { from, to, parts: [""], isQuoted: false } };
}

function listChildren(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

function splitAtStars(text: string): Array<string | typeof ANY_TEXT> {
  return joinTexts(text.split(/(\*+)/).map((part) => (part.startsWith("*") ? ANY_TEXT : part)));
}

function joinTexts(parts: ReadonlyArray<string | typeof ANY_TEXT>): Array<string | typeof ANY_TEXT> {
  const joined: Array<string | typeof ANY_TEXT> = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part === ANY_TEXT) {
      if (last !== ANY_TEXT) joined.push(part);
    } else if (typeof last === "string") joined[joined.length - 1] = last + part;
    else if (part !== "") joined.push(part);
  }
  return joined.length > 0 ? joined : [""];
}

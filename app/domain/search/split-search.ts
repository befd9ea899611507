import type { SyntaxNode } from "@lezer/common";
import { MAX_SEARCH_LENGTH } from "./parse-search.ts";
import {
  AndOp,
  Bang,
  Compare,
  Filter,
  Item,
  Key,
  Not,
  OrOp,
  ParenClose,
  ParenOpen,
  Quoted,
  Value,
  Word,
} from "./search-parser.terms.ts";
import { parser } from "./search-parser.ts";
import type { Span } from "./search-tree.ts";

/** A part of a token. `mark` is punctuation: the colon, brackets and commas. */
export interface SearchTokenPart extends Span {
  role: "sign" | "key" | "mark" | "compare" | "value" | "text";
}

/** A part of a search that is shown, chosen and removed as one. */
export interface SearchToken extends Span {
  /** `open` and `close` are parentheses, `operator` is AND or OR, `text` is a word or quoted words. */
  kind: "filter" | "text" | "operator" | "open" | "close";
  /** The parts in their order. Together they are the whole token. */
  parts: SearchTokenPart[];
}

/**
 * Splits a search into tokens, in their order, with only blanks between them. It never fails: a part with an error is a token, too. A
 * search that is too long is one token.
 */
export function splitSearch(text: string): SearchToken[] {
  if (text.length > MAX_SEARCH_LENGTH) return [toToken("text", { from: 0, to: text.length }, [])];
  const tokens: SearchToken[] = [];
  collect(parser.parse(text).topNode, null, tokens);
  return tokens;
}

/** `sign` is the `!` before the node. */
function collect(node: SyntaxNode, sign: SyntaxNode | null, tokens: SearchToken[]): void {
  const span = { from: sign?.from ?? node.from, to: node.to };
  const signs = sign ? [{ role: "sign" as const, from: sign.from, to: sign.to }] : [];
  switch (node.type.id) {
    case Filter:
      tokens.push(toToken("filter", span, [...signs, ...listFilterParts(node)]));
      return;
    case Word:
    case Quoted:
      tokens.push(toToken("text", span, [...signs, { role: "text", from: node.from, to: node.to }]));
      return;
    case AndOp:
    case OrOp:
      tokens.push(toToken("operator", span, []));
      return;
    case ParenOpen:
      tokens.push(toToken("open", span, signs));
      return;
    case ParenClose:
      tokens.push(toToken("close", span, []));
      return;
    case Not:
      collect(node.lastChild as SyntaxNode, node.getChild(Bang), tokens);
      return;
    default:
      // The `!` of a group belongs to its parenthesis.
      for (let child = node.firstChild; child !== null; child = child.nextSibling)
        collect(child, child.type.id === ParenOpen ? sign : null, tokens);
  }
}

function listFilterParts(filter: SyntaxNode): SearchTokenPart[] {
  const parts: SearchTokenPart[] = [];
  const visit = (node: SyntaxNode) => {
    const { from, to } = node;
    if (node.type.id === Key) parts.push({ role: "key", from, to: to - 1 });
    else if (node.type.id === Compare) parts.push({ role: "compare", from, to });
    else if (node.type.id === Value || node.type.id === Item) parts.push({ role: "value", from, to });
    else for (let child = node.firstChild; child !== null; child = child.nextSibling) visit(child);
  };
  visit(filter);
  return parts;
}

/** Fills the gaps between known parts. */
function toToken(kind: SearchToken["kind"], { from, to }: Span, known: readonly SearchTokenPart[]): SearchToken {
  const parts: SearchTokenPart[] = [];
  let at = from;
  const fillUpTo = (end: number) => {
    if (at < end) parts.push({ role: kind === "text" ? "text" : "mark", from: at, to: end });
  };
  for (const part of known) {
    fillUpTo(part.from);
    parts.push(part);
    at = part.to;
  }
  fillUpTo(to);
  return { kind, from, to, parts };
}

/**
 * The search without a token, and the new position of the caret. An operator that joined the token to another is removed, too, and so
 * are parentheses that would be empty. If the token is a parenthesis, the other one of its pair is removed with it.
 */
export function removeToken(text: string, index: number): { search: string; caret: number } {
  const tokens = splitSearch(text);
  const token = tokens[index];
  if (!token) return { search: text, caret: text.length };
  const gone = new Set([index]);
  const isKept = (at: number) => !gone.has(at);
  if (token.kind === "open" || token.kind === "close") {
    const other = findOtherParenthesis(tokens, index);
    if (other !== null) gone.add(other);
  } else if (token.kind !== "operator") {
    for (let [before, after] = [index - 1, index + 1]; ; ) {
      while (before >= 0 && !isKept(before)) before--;
      while (after < tokens.length && !isKept(after)) after++;
      const joins = [before, after].filter((at) => tokens[at]?.kind === "operator");
      // AND binds tighter: `a OR b AND c` without b is `a OR c`.
      const [first] = joins;
      if (first !== undefined) {
        gone.add(joins.find((at) => text.startsWith("AND", tokens[at]?.from)) ?? first);
        break;
      }
      if (tokens[before]?.kind !== "open" || tokens[after]?.kind !== "close") break;
      gone.add(before).add(after);
    }
  }
  return cut(text, tokens, gone);
}

function findOtherParenthesis(tokens: readonly SearchToken[], index: number): number | null {
  const isOpen = tokens[index]?.kind === "open";
  const step = isOpen ? 1 : -1;
  let depth = 0;
  for (let at = index; at >= 0 && at < tokens.length; at += step) {
    const kind = tokens[at]?.kind;
    if (kind === "open") depth += step;
    else if (kind === "close") depth -= step;
    if (depth === 0) return at;
  }
  return null;
}

/** Blanks after a token go with it. What stood apart stays apart. */
function cut(
  text: string,
  tokens: readonly SearchToken[],
  gone: ReadonlySet<number>,
): { search: string; caret: number } {
  let search = text.slice(0, tokens[0]?.from ?? 0);
  let caret: number | null = null;
  let isAfterGone = false;
  tokens.forEach((token, index) => {
    if (gone.has(index)) {
      caret ??= search.length;
      isAfterGone = true;
      return;
    }
    const previous = tokens.slice(0, index).findLast((_, at) => !gone.has(at));
    const touches = previous !== undefined && isAfterGone && /\S$/.test(search);
    if (touches && previous.kind !== "open" && token.kind !== "close") search += " ";
    search += text.slice(token.from, tokens[index + 1]?.from ?? text.length);
    isAfterGone = false;
  });
  return { search, caret: Math.min(caret ?? search.length, search.length) };
}

import { quote } from "./quote.ts";
import { canFollowBang, printSearchKey } from "./search-key.ts";
import { ANY_TEXT, type FilterNode, type SearchNode, type SearchValue } from "./search-tree.ts";

/** The text of a search: `parseSearch` makes the same tree of it. Null is the empty search. */
export function printSearch(tree: SearchNode | null): string {
  return tree === null ? "" : printNode(tree);
}

function printNode(node: SearchNode): string {
  switch (node.kind) {
    case "all":
      return node.parts.map((part) => (isGroup(part) ? inGroup(part) : printNode(part))).join(" ");
    case "any":
      return node.parts.map((part) => (part.kind === "any" ? inGroup(part) : printNode(part))).join(" OR ");
    case "not": {
      const text = printNode(node.part);
      return isGroup(node.part) || !canFollowBang(text.charAt(0)) ? `!${inGroup(node.part)}` : `!${text}`;
    }
    case "filter":
      return printFilter(node);
    case "text":
      return printValue(node.value);
  }
}

function inGroup(node: SearchNode): string {
  const text = printNode(node);
  // A word may have a parenthesis that it does not close: the blank keeps it from taking that of the group.
  const isBalanced = text.split("(").length === text.split(")").length;
  return isBalanced ? `(${text})` : `(${text} )`;
}

function isGroup({ kind }: SearchNode): boolean {
  return kind === "all" || kind === "any";
}

export function printFilter({
  key,
  isTag,
  sign,
  isList,
  values,
}: Pick<FilterNode, "key" | "isTag" | "sign" | "isList" | "values">): string {
  const printed = values.map(printValue);
  return `${printSearchKey({ key, isTag })}:${sign ?? ""}${isList ? `[${printed.join(", ")}]` : (printed[0] ?? "")}`;
}

export function printValue({ parts, isQuoted }: Pick<SearchValue, "parts" | "isQuoted">): string {
  return parts.map((part) => (part === ANY_TEXT ? "*" : isQuoted ? quote(part) : part)).join("");
}

/** Needs no quotes as a value, an item of a list or a word, wherever it stands. With `//` at its beginning, a colon before it would be text. */
const PLAIN = /^(?!(?:OR|AND)$|\/\/)[\p{L}\p{N}_/@.#][\p{L}\p{N}_/@.+#-]*$/u;

/** A value that is this text and nothing else, with quotes where it needs them. */
export function toSearchValue(text: string): Pick<SearchValue, "parts" | "isQuoted"> {
  return { parts: [text], isQuoted: !PLAIN.test(text) };
}

// This file is loaded after the page, and only if a frame with source is open. Code of the first load must not import it.

import { refractor, type Syntax } from "refractor/core";
import type { SourceLanguage } from "./source-language.ts";

/** The kinds of source text that have a colour. */
export type PieceKind = "comment" | "keyword" | "string" | "literal" | "function" | "type";

export interface SourcePiece {
  text: string;
  kind: PieceKind | null;
}

const GRAMMARS: Record<SourceLanguage, () => Promise<{ default: Syntax }>> = {
  c: () => import("refractor/c"),
  cpp: () => import("refractor/cpp"),
  csharp: () => import("refractor/csharp"),
  css: () => import("refractor/css"),
  dart: () => import("refractor/dart"),
  elixir: () => import("refractor/elixir"),
  go: () => import("refractor/go"),
  java: () => import("refractor/java"),
  jsx: () => import("refractor/jsx"),
  kotlin: () => import("refractor/kotlin"),
  lua: () => import("refractor/lua"),
  objectivec: () => import("refractor/objectivec"),
  perl: () => import("refractor/perl"),
  php: () => import("refractor/php"),
  python: () => import("refractor/python"),
  ruby: () => import("refractor/ruby"),
  rust: () => import("refractor/rust"),
  scala: () => import("refractor/scala"),
  sql: () => import("refractor/sql"),
  swift: () => import("refractor/swift"),
  tsx: () => import("refractor/tsx"),
};

/** Characters. Grammars may take time quadratic in the text, and nobody reads longer lines. */
const MAX_LINE_CHARACTERS = 240;
const MAX_CHARACTERS = 4_000;

const KINDS: Record<string, PieceKind> = {
  ...{ comment: "comment", prolog: "comment", doctype: "comment" },
  ...{ keyword: "keyword", boolean: "keyword", important: "keyword", atrule: "keyword", tag: "keyword" },
  ...{ string: "string", char: "string", regex: "string", "template-string": "string", "attr-value": "string" },
  ...{ number: "literal", function: "function", method: "function", decorator: "function", annotation: "function" },
  ...{ "class-name": "type", builtin: "type", constant: "type", namespace: "type" },
};

/** Splits each line into pieces, which together are the line. A line that is too long is one piece. Null: the whole text is too long. */
export async function colorSource(lines: readonly string[], language: SourceLanguage): Promise<SourcePiece[][] | null> {
  const short = lines.map((line) => (line.length <= MAX_LINE_CHARACTERS ? line : ""));
  const text = short.join("\n");
  if (text.length > MAX_CHARACTERS) return null;
  refractor.register((await GRAMMARS[language]()).default);
  const colored = splitLines(refractor.highlight(text, language).children as readonly TreeNode[]);
  // A line that begins inside a comment or a multi-line string may get wrong colours, but its text never changes.
  return lines.map((line, index) => {
    const pieces = colored[index];
    return pieces?.map((piece) => piece.text).join("") === line ? pieces : [{ text: line, kind: null }];
  });
}

interface TreeNode {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: readonly TreeNode[];
}

function splitLines(nodes: readonly TreeNode[]): SourcePiece[][] {
  const lines: SourcePiece[][] = [[]];
  const add = (text: string, kind: PieceKind | null) => {
    text.split("\n").forEach((part, index) => {
      if (index > 0) lines.push([]);
      const line = lines.at(-1) ?? [];
      const last = line.at(-1);
      if (part === "") return;
      if (last && last.kind === kind) last.text += part;
      else line.push({ text: part, kind });
    });
  };
  const walk = (node: TreeNode, around: PieceKind | null) => {
    if (node.type === "text") return add(node.value ?? "", around);
    const names = Array.isArray(node.properties?.className) ? node.properties.className : [];
    const kind = names.flatMap((name) => (Object.hasOwn(KINDS, name) ? (KINDS[name] ?? []) : []))[0] ?? around;
    for (const child of node.children ?? []) walk(child, kind);
  };
  for (const node of nodes) walk(node, null);
  return lines;
}

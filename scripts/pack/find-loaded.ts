import { type Node, parse } from "acorn";

/** A module that the code loads, and the place of its name in the text, without quotes. */
export interface Loaded {
  specifier: string;
  start: number;
  end: number;
}

/** Imports of every form whose module is named by a text, and `new URL("…", import.meta.url)`, in the order of the code. */
export function findLoaded(code: string): Loaded[] {
  const found: Loaded[] = [];
  const add = (text: unknown) => {
    if (!isNode(text)) return;
    const specifier = readText(text, code);
    if (specifier !== null) found.push({ specifier, start: text.start + 1, end: text.end - 1 });
  };
  const waiting: Node[] = [parse(code, { ecmaVersion: "latest", sourceType: "module", allowHashBang: true })];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const parts: Record<string, unknown> = { ...node };
    if (/^(Import(Declaration|Expression)|Export(Named|All)Declaration)$/.test(node.type)) add(parts.source);
    if (
      node.type === "NewExpression" &&
      isNode(parts.callee) &&
      "name" in parts.callee &&
      parts.callee.name === "URL"
    ) {
      const [path, base] = Array.isArray(parts.arguments) ? parts.arguments : [];
      if (isNode(base) && code.slice(base.start, base.end) === "import.meta.url") add(path);
    }
    for (const part of Object.values(parts).flat()) if (isNode(part)) waiting.push(part);
  }
  return found.sort((one, other) => one.start - other.start);
}

/** A string, also between backticks: a build that leaves out white space writes dynamic imports so. */
function readText(node: Node, code: string): string | null {
  if ("value" in node) return typeof node.value === "string" ? node.value : null;
  if (node.type !== "TemplateLiteral" || !("expressions" in node)) return null;
  const hasParts = Array.isArray(node.expressions) && node.expressions.length > 0;
  return hasParts ? null : code.slice(node.start + 1, node.end - 1);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

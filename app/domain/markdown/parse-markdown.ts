/** A part of a line of text. */
export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong" | "emphasis" | "deleted"; parts: Inline[] }
  /** Only with a scheme of `SAFE_SCHEMES`. */
  | { kind: "link"; url: string; parts: Inline[] };

export type Block =
  | { kind: "paragraph"; lines: Inline[][] }
  | { kind: "heading"; parts: Inline[] }
  | { kind: "quote"; lines: Inline[][] }
  | { kind: "list"; isOrdered: boolean; items: Inline[][] }
  | { kind: "code"; text: string };

const SAFE_SCHEMES = ["http:", "https:", "mailto:"];
/** Signs within signs. */
const MAX_DEPTH = 4;

/**
 * The part of Markdown that comments have: paragraphs, headings, lists, quotes, code, strong, emphasis, deleted and links. There is
 * no HTML: everything else is text. Takes time in proportion to the length.
 */
export function parseMarkdown(text: string): Block[] {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as string;
    const take = (isPart: (line: string) => boolean): string[] => {
      const from = at;
      while (at < lines.length && isPart(lines[at] as string)) at++;
      return lines.slice(from, at);
    };
    if (line.trim() === "") at++;
    else if (line.startsWith("```")) {
      at++;
      const code = take((each) => !each.startsWith("```"));
      at++;
      blocks.push({ kind: "code", text: code.join("\n") });
    } else if (HEADING.test(line)) {
      at++;
      blocks.push({ kind: "heading", parts: parseInline(line.replace(HEADING, "")) });
    } else if (QUOTE.test(line)) {
      const quoted = take((each) => QUOTE.test(each));
      blocks.push({ kind: "quote", lines: quoted.map((each) => parseInline(each.replace(QUOTE, ""))) });
    } else if (BULLET.test(line) || NUMBER.test(line)) {
      const mark = BULLET.test(line) ? BULLET : NUMBER;
      const items = take((each) => mark.test(each));
      blocks.push({
        kind: "list",
        isOrdered: mark === NUMBER,
        items: items.map((each) => parseInline(each.replace(mark, ""))),
      });
    } else blocks.push({ kind: "paragraph", lines: take(isProse).map((each) => parseInline(each)) });
  }
  return blocks;
}

const HEADING = /^#{1,6} +/;
const QUOTE = /^> ?/;
const BULLET = /^ {0,3}[-*+] +/;
const NUMBER = /^ {0,3}\d{1,9}[.)] +/;

function isProse(line: string): boolean {
  return (
    line.trim() !== "" &&
    !line.startsWith("```") &&
    !HEADING.test(line) &&
    !QUOTE.test(line) &&
    !BULLET.test(line) &&
    !NUMBER.test(line)
  );
}

/** The signs in which the text between two of them stands. */
const PAIRS = [
  ["**", "strong"],
  ["__", "strong"],
  ["~~", "deleted"],
  ["*", "emphasis"],
  ["_", "emphasis"],
] as const;

function parseInline(text: string, depth = 0): Inline[] {
  const parts: Inline[] = [];
  let plain = "";
  // Signs that nothing closes any more: not looked for twice.
  const unclosed = new Set<string>();
  const add = (part: Inline) => {
    if (plain !== "") parts.push({ kind: "text", text: plain });
    plain = "";
    parts.push(part);
  };
  const findEnd = (sign: string, from: number): number => {
    const end = unclosed.has(sign) ? -1 : text.indexOf(sign, from);
    if (end < 0) unclosed.add(sign);
    return end;
  };
  for (let at = 0; at < text.length; ) {
    const character = text[at] as string;
    if (character === "\\" && /[\\`*_~[\]()#>@-]/.test(text[at + 1] ?? "")) {
      plain += text[at + 1];
      at += 2;
      continue;
    }
    if (character === "`") {
      const end = findEnd("`", at + 1);
      if (end > at + 1) {
        add({ kind: "code", text: text.slice(at + 1, end) });
        at = end + 1;
        continue;
      }
    }
    const link = character === "[" ? readLink(text, at, findEnd) : character === "h" ? readAddress(text, at) : null;
    if (link) {
      add({
        kind: "link",
        url: link.url,
        parts:
          link.label === null
            ? [{ kind: "text", text: link.url }]
            : depth < MAX_DEPTH
              ? parseInline(link.label, MAX_DEPTH)
              : [{ kind: "text", text: link.label }],
      });
      at = link.end;
      continue;
    }
    const pair = depth < MAX_DEPTH ? PAIRS.find(([sign]) => text.startsWith(sign, at)) : undefined;
    if (pair) {
      const [sign, kind] = pair;
      const from = at + sign.length;
      const end = opens(text, at, sign) ? findEnd(sign, from) : -1;
      if (end > from && !/\s/.test(text[end - 1] as string) && closes(text, end, sign)) {
        add({ kind, parts: parseInline(text.slice(from, end), depth + 1) });
        at = end + sign.length;
        continue;
      }
      plain += sign;
      at = from;
      continue;
    }
    plain += character;
    at++;
  }
  if (plain !== "") parts.push({ kind: "text", text: plain });
  return parts;
}

/** `snake_case` is a word. */
function opens(text: string, at: number, sign: string): boolean {
  if (/^(?:\s|$)/.test(text[at + sign.length] ?? "")) return false;
  return !sign.startsWith("_") || !/[\p{L}\p{N}_]/u.test(text[at - 1] ?? "");
}

function closes(text: string, end: number, sign: string): boolean {
  return !sign.startsWith("_") || !/[\p{L}\p{N}_]/u.test(text[end + sign.length] ?? "");
}

interface FoundLink {
  url: string;
  /** Null: the address itself. */
  label: string | null;
  end: number;
}

/** `[label](https://…)`; null for anything else, and for other schemes. */
function readLink(text: string, at: number, findEnd: (sign: string, from: number) => number): FoundLink | null {
  const middle = findEnd("](", at + 1);
  if (middle < 0) return null;
  const end = findEnd(")", middle + 2);
  const label = text.slice(at + 1, middle);
  const url = toSafeUrl(text.slice(middle + 2, end));
  return end < 0 || url === null || label === "" ? null : { url, label, end: end + 1 };
}

const ADDRESS = /https?:\/\/[^\s<>"'`*\])]{1,2000}/y;

/** An address in running text, without the sign at its end. */
function readAddress(text: string, at: number): FoundLink | null {
  if (/[\p{L}\p{N}]/u.test(text[at - 1] ?? "")) return null;
  ADDRESS.lastIndex = at;
  const found = ADDRESS.exec(text)?.[0].replace(/[.,;:!?]+$/, "");
  const url = found === undefined ? null : toSafeUrl(found);
  return found === undefined || url === null ? null : { url, label: null, end: at + found.length };
}

function toSafeUrl(text: string): string | null {
  const url = URL.parse(text.trim());
  return url && SAFE_SCHEMES.includes(url.protocol) ? url.href : null;
}

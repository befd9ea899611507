/**
 * Tags as one text: `\nkey=value\nkey=value\n`. DuckDB compresses it to a third of what a list or a map takes, and one substring search
 * finds out whether a row has a tag. Line feeds, and equals signs in keys, are escaped with a backslash.
 */
export function toTagText(tags: ReadonlyArray<readonly [key: string, value: string]>): string {
  if (tags.length === 0) return "";
  let text = "\n";
  for (const [key, value] of tags) text += `${escapeTagKey(key)}=${escapeTagValue(value)}\n`;
  return text;
}

export function fromTagText(text: string): Array<[key: string, value: string]> {
  if (text === "") return [];
  return text.slice(1, -1).split("\n").map(fromTagPair);
}

/** One `key=value` of the text. */
export function fromTagPair(pair: string): [key: string, value: string] {
  const at = pair.indexOf("=");
  return [unescapeTag(pair.slice(0, at)), unescapeTag(pair.slice(at + 1))];
}

export function escapeTagKey(key: string): string {
  return /[\\\n=]/.test(key) ? escapeTagValue(key).replaceAll("=", "\\e") : key;
}

export function escapeTagValue(value: string): string {
  return /[\\\n]/.test(value) ? value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n") : value;
}

const UNESCAPED: Record<string, string> = { "\\\\": "\\", "\\n": "\n", "\\e": "=" };

export function unescapeTag(text: string): string {
  return text.includes("\\") ? text.replace(/\\[\\ne]/g, (escaped) => UNESCAPED[escaped] ?? escaped) : text;
}

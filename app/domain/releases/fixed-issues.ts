/** Issues that one message may name. */
const MAX_NAMED = 20;

// Each pattern is tried at one place and reads a limited number of characters, because anybody who can commit writes the message.
const KEYWORD = /\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)\b:?\s{1,20}/gi;
const SHORT_ID = /#?([a-z0-9][a-z0-9_-]{0,60}-[a-z0-9]{1,13})(?![a-z0-9_-])/iy;
const SEPARATOR = /\s{0,20}[,;&]\s{0,20}(?:and\s{1,20})?|\s{1,20}(?:and\s{1,20})?/iy;

/**
 * The short ids that a commit's message says it fixes, as they are written and each once: `Fixes SHOP-A, SHOP-B`, `closes: shop-4f2 and
 * shop-4f3`. Whether there are such issues is not known here. A message that reverts another one fixes nothing.
 */
export function findFixedShortIds(message: string): string[] {
  if (/^\s*revert\b/i.test(message)) return [];
  const found = new Set<string>();
  let at = 0;
  for (const keyword of message.matchAll(KEYWORD)) {
    // The keyword is inside a part that was already read. Each place is read once, even if all ids are equal.
    if (keyword.index < at) continue;
    at = keyword.index + keyword[0].length;
    for (let shortId = readAt(SHORT_ID, message, at); shortId !== null; shortId = readAt(SHORT_ID, message, at)) {
      found.add(shortId[1] ?? "");
      if (found.size === MAX_NAMED) return [...found];
      at += shortId[0].length;
      at += readAt(SEPARATOR, message, at)?.[0].length ?? message.length;
    }
  }
  return [...found];
}

function readAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

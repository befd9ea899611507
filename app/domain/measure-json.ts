/**
 * Characters that a value of well-formed texts, finite numbers, lists and plain objects has as JSON, without making it. Counting ends beyond the limit:
 * the result is then some number beyond it.
 */
export function measureJson(value: unknown, limit: number): number {
  if (typeof value === "string") return measureText(value, limit);
  if (typeof value !== "object" || value === null) return String(value).length;
  let sum = 1;
  if (Array.isArray(value)) {
    for (const each of value) {
      sum += 1 + measureJson(each, limit - sum);
      if (sum > limit) return sum;
    }
  } else {
    for (const key in value) {
      sum += 2 + measureText(key, limit - sum);
      if (sum <= limit) sum += measureJson((value as Record<string, unknown>)[key], limit - sum);
      if (sum > limit) return sum;
    }
  }
  return Math.max(sum, "[]".length);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes these
const ESCAPED = /["\\\u0000-\u001f]/;
const ESCAPED_BY_A_LETTER = '"\\\b\f\n\r\t';

function measureText(text: string, limit: number): number {
  let sum = text.length + '""'.length;
  if (!ESCAPED.test(text)) return sum;
  for (let at = 0; at < text.length && sum <= limit; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 && code !== 0x22 && code !== 0x5c) continue;
    sum += ESCAPED_BY_A_LETTER.includes(text.charAt(at)) ? 1 : 5;
  }
  return sum;
}

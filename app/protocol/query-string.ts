/**
 * The first value of a parameter in a raw query string (without the `?`), decoded; null when it is absent. A value whose
 * percent-encoding is broken is taken as it stands. Cheaper than URLSearchParams, which decodes every parameter.
 */
export function readQueryParameter(query: string, name: string): string | null {
  let at = 0;
  while (at <= query.length) {
    let end = query.indexOf("&", at);
    if (end < 0) end = query.length;
    if (query.startsWith(name, at)) {
      const after = at + name.length;
      if (after === end) return "";
      if (query.charCodeAt(after) === 61) return decodePercent(query.slice(after + 1, end).replaceAll("+", " "));
    }
    at = end + 1;
  }
  return null;
}

/** Decodes percent-encoding. Returns the text unchanged if the encoding is broken. */
export function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

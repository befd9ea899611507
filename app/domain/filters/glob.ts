/** Whether a text is what a pattern means. Takes time in proportion to the text and the pattern, whatever they say. */
export type GlobMatch = (text: string) => boolean;

/**
 * Compiles a pattern that a person wrote: `*` stands for any text, also an empty one. Everything else stands for itself, in any
 * case. Without a star, the pattern must be equal to the whole text.
 */
export function compileGlob(pattern: string): GlobMatch {
  const parts = pattern.toLowerCase().split("*");
  const first = parts[0] ?? "";
  if (parts.length === 1) return (text) => text.length === first.length && text.toLowerCase() === first;
  const last = parts.at(-1) ?? "";
  const middle = parts.slice(1, -1).filter((part) => part !== "");
  return (text) => {
    const folded = text.toLowerCase();
    if (folded.length < first.length + last.length || !folded.startsWith(first) || !folded.endsWith(last)) return false;
    let at = first.length;
    const end = folded.length - last.length;
    for (const part of middle) {
      const found = folded.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

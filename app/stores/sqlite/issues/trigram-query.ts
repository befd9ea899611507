/** Enough to leave few issues. Each trigram costs the intersection with another list. */
const MAX_TRIGRAMS = 12;

/**
 * The query for the trigram index. A text with all terms has all these trigrams; a text with the trigrams may lack a term. Null when no
 * term has three characters.
 */
export function toTrigramQuery(terms: string[]): string | null {
  const trigrams = new Set<string>();
  for (const term of terms) {
    const characters = [...term];
    for (let start = 0; start + 3 <= characters.length && trigrams.size < MAX_TRIGRAMS; start++) {
      const trigram = characters.slice(start, start + 3).join("");
      // SQLite reads the query up to the first NUL.
      if (!trigram.includes("\0")) trigrams.add(`"${trigram.replaceAll('"', '""')}"`);
    }
  }
  return trigrams.size === 0 ? null : [...trigrams].join(" AND ");
}

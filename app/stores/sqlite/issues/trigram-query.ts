/** Enough to leave few issues. Each trigram costs the intersection with a list. */
const MAX_TRIGRAMS = 12;

/**
 * The query for the trigram index: texts that hold every part hold all of these, though not the other way round.
 * Null when no part has three characters.
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

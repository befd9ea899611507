/** The text in one case, letter by letter, as DuckDB's `lower` does it: comparing ignores case by it. */
export function foldText(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  let folded = "";
  for (const letter of text) {
    const lower = letter.toLowerCase();
    folded += letter === "İ" ? "i" : lower;
  }
  return folded;
}

const NOT_ASCII = /[^\0-\x7f]/;

/**
 * The same text in memory of its own. What is cut out of a longer text shares its memory, so that a cache of short
 * pieces would keep every body alive that they came from.
 */
export function copyText(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}

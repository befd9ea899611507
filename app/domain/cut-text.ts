/**
 * Cut without breaking a pair of surrogates: half of one reaches a browser as another text, and React draws all of the page again.
 *
 * @param maxChars with the `…` at its end
 */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

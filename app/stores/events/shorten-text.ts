const encoder = new TextEncoder();
/** Stands where the end of a text is missing. */
export const ELLIPSIS = "…";
const ELLIPSIS_BYTES = 3;

/** UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

/** The beginning of a text, in at most `maxBytes` of UTF-8 (3 or more), with an ellipsis where something is missing. */
export function shortenText(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || byteLength(text) <= maxBytes) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes - ELLIPSIS_BYTES));
  return text.slice(0, read) + ELLIPSIS;
}

/** The first lines of a text whose lines end with a line break, as `toTagText` makes it. */
export function shortenLines(text: string, maxBytes: number): string {
  if (byteLength(text) <= maxBytes) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes));
  const kept = text.slice(0, text.lastIndexOf("\n", read - 1) + 1);
  return kept === "\n" ? "" : kept;
}

/** The bound for each of several sizes with which their sum is at most `total`: those below it stay as they are. */
export function findBound(sizes: readonly number[], total: number): number {
  const sorted = sizes.toSorted((one, other) => one - other);
  let left = total;
  for (const [index, size] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (size > share) return Math.max(0, share);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
